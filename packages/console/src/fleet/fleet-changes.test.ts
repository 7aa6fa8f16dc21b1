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
  health: 'unknown' as const,
  health_since: '',
  reason: null,
  reasons: [],
})

const known = [agent('a'), agent('c')]
const changes = (agents: FleetAgent[], removed: string[] = [], isComplete = true) => ({
  agents,
  removed,
  is_complete: isComplete,
  next: '7.8.9.all',
})

describe('applying changes to the fleet', () => {
  it('returns the same list if nothing has changed', () => {
    expect(applyChanges(known, changes([]))).toBe(known)
    expect(applyChanges(known, changes([agent('c')], ['unknown']))).toBe(known)
  })

  it('replaces changed agents and inserts new ones in order', () => {
    expect(applyChanges(known, changes([agent('c', 'offline'), agent('b')]))).toEqual([
      agent('a'),
      agent('b'),
      agent('c', 'offline'),
    ])
  })

  it('leaves out removed agents', () => {
    expect(applyChanges(known, changes([agent('c', 'stale')], ['a']))).toEqual([agent('c', 'stale')])
  })

  it('asks for the whole list if the changes are incomplete', () => {
    expect(applyChanges(known, changes([], [], false))).toBeUndefined()
  })
})
