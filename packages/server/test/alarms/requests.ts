import type { Alarm, AlarmRule, NetworkEvent } from '@manc/contract'
import { type TestEnvironment, uniqueName } from '@manc/harness'
import { expect } from 'vitest'

export const newRule = (more: object = {}) => ({
  name: uniqueName('rule'),
  severity: 'warning',
  metric: 'clients',
  raise_op: '>=',
  raise_threshold: 100,
  raise_for_s: 0,
  clear_for_s: 0,
  ...more,
})

export async function createRule(environment: TestEnvironment, more: object = {}): Promise<AlarmRule> {
  const { status, body } = await environment.request('POST', '/api/v1/alarm_rules', newRule(more))
  expect([status, body]).toEqual([200, expect.anything()])
  return body
}

export async function alarmsOf(
  environment: TestEnvironment,
  apId: string,
  query = 'state=all',
): Promise<Alarm[]> {
  const { body } = await environment.request('GET', `/api/v1/alarms?${query}&ap_id=${apId}`)
  return body
}

/** Kinds of the events of alarms. */
export async function eventsOf(environment: TestEnvironment, apId: string): Promise<string[]> {
  const { body } = await environment.request('GET', `/api/v1/events?ap_id=${apId}`)
  return (body as NetworkEvent[]).map(({ kind }) => kind).filter((kind) => kind.startsWith('alarm_'))
}
