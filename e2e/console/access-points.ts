import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { call } from '@manc/harness'
import { type AlarmRule, Manc, type Technology } from '@manc/sdk'
import type { ConsoleEnvironment } from './environment.ts'

/** A new access point that is online for a moment, since it sends one sample. */
export async function onlineAccessPoint(
  env: ConsoleEnvironment,
  prefix: string,
  payload: Record<string, number> = { clients: 1 },
): Promise<string> {
  const apId = `${prefix}-${randomUUID().slice(0, 8)}`
  await env.manc.agents.register({
    ap_id: apId,
    password: 'a-password',
    configuration: { technology: 'WiFi', telemetry_interval_s: 1 },
  })
  const credentials = { loginType: 'agent', username: apId, password: 'a-password' } as const
  await new Manc({ url: env.url, credentials }).agents.sendUpdate({ payload })
  return apId
}

/** An emulated access point that sends once a second. */
export async function emulatedAccessPoint(env: ConsoleEnvironment, technology: Technology): Promise<string> {
  const [first = ''] = await untilOnline(env, 1, technology)
  return first
}

/** Most of the emulation that the suites share: those that are online. They send once a second. */
export const emulatedAccessPoints = (env: ConsoleEnvironment): Promise<string[]> => untilOnline(env, 16)

/** Access points of the emulation that the suites share: others come and go. */
const sharedSize = 24

/** After a pause of the machine they may be offline for a moment. */
async function untilOnline(
  env: ConsoleEnvironment,
  count: number,
  technology?: Technology,
): Promise<string[]> {
  const emulations = await Array.fromAsync(env.manc.emulations.list())
  const job = emulations.find(({ agents }) => agents === sharedSize)?.job_number.slice(0, 8)
  const filter = { state: ['online' as const], ...(technology && { technology: [technology] }) }
  const signal = AbortSignal.timeout(120_000)
  for (;;) {
    const agents = await Array.fromAsync(env.manc.fleet.agents(filter))
    const shared = agents.map(({ ap_id: apId }) => apId).filter((apId) => apId.includes(`-${job}-`))
    if (shared.length >= count) return shared
    await sleep(250, undefined, { signal })
  }
}

/** A rule of the load whose alarms stay open, since the load is never below its threshold. */
export const loadRule = (env: ConsoleEnvironment, more: Partial<AlarmRule> = {}): Promise<AlarmRule> =>
  env.manc.alarms.createRule({
    name: `Load ${randomUUID().slice(0, 8)}`,
    severity: 'critical',
    metric: 'load_pct',
    raise_op: '>=',
    raise_threshold: 0,
    raise_for_s: 86_400,
    ...more,
  })

/**
 * Raises alarms as vmalert does, which repeats its alerts: an alert of an access point that is offline at the moment
 * raises none. The browser tests run without vmalert.
 */
export async function raiseAlarms(
  env: ConsoleEnvironment,
  rule: AlarmRule,
  apIds: readonly string[],
  value = 97.5,
): Promise<void> {
  const alerts = () =>
    apIds.map((apId) => ({
      labels: { alertname: rule.id, rule_id: rule.id, revision: '1', ap_id: apId },
      annotations: { value: String(value) },
      startsAt: new Date().toISOString(),
      endsAt: new Date(Date.now() + 60_000).toISOString(),
    }))
  const signal = AbortSignal.timeout(120_000)
  for (;;) {
    await call(env.internalUrl, 'POST', '/api/v2/alerts', { body: alerts() })
    const raised = await Array.fromAsync(env.manc.alarms.list({ rule: rule.id }))
    if (apIds.every((apId) => raised.some((alarm) => alarm.ap_id === apId))) return
    await sleep(250, undefined, { signal })
  }
}
