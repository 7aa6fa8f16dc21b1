import type { FleetAgent } from '@manc/sdk'
import { describe, expect, it } from 'vitest'
import { applyChanges } from './fleet-changes.ts'

const agent = (apId: string, state: FleetAgent['state'] = 'online'): FleetAgent => ({
  ap_id: apId,
  name: null,
  technology: 'WiFi',
  state,
  since: '2026-11-15T08:00:00.000Z',
  last_seen: null,
  position: null,
  telemetry_interval_s: 1,
})

const known = [agent('a'), agent('c')]
const news = (agents: FleetAgent[], removed: string[] = [], isComplete = true) => ({
  agents,
  removed,
  is_complete: isComplete,
  next: '7.8.9.all',
})

describe('the known fleet', () => {
  it('is the same while nothing changes, whatever is told again', () => {
    expect(applyChanges(known, news([]))).toBe(known)
    expect(applyChanges(known, news([agent('c')], ['nobody']))).toBe(known)
  })

  it('has what has changed, and what is new in its place', () => {
    expect(applyChanges(known, news([agent('c', 'offline'), agent('b')]))).toEqual([
      agent('a'),
      agent('b'),
      agent('c', 'offline'),
    ])
  })

  it('has nobody who is gone', () => {
    expect(applyChanges(known, news([agent('c', 'stale')], ['a']))).toEqual([agent('c', 'stale')])
  })

  it('is read again where not all is told', () => {
    expect(applyChanges(known, news([], [], false))).toBeUndefined()
  })
})
