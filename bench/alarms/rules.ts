import { call } from '@manc/harness'
import type { BenchEnvironment } from '../environment.ts'
import { metrics } from './telemetry.ts'

const perMetric = 10
const lowest = 100

/** Reaches one rule of a metric, or all of them. */
export const badValues = { one: lowest + 5, all: 10 * lowest }
export const ruleCount = metrics.length * perMetric

/** Rules of all agents: ten thresholds for each metric. The built-in ones are disabled. */
export async function createRules(environment: BenchEnvironment, raiseForS: number): Promise<string[]> {
  await environment.sql('update alarm_rules set is_enabled = false where is_builtin')
  const ids: string[] = []
  for (const body of rulesWith(raiseForS)) {
    const { id } = await send(environment, 'POST', '', body)
    ids.push(id)
  }
  return ids
}

export async function setDuration(
  environment: BenchEnvironment,
  ids: readonly string[],
  raiseForS: number,
): Promise<void> {
  for (const [index, body] of rulesWith(raiseForS).entries())
    await send(environment, 'PUT', `/${ids[index]}`, body)
}

const rulesWith = (raiseForS: number) =>
  metrics.flatMap((metric) =>
    Array.from({ length: perMetric }, (_, n) => ({
      name: `${metric} ${n}`,
      severity: 'warning',
      metric,
      raise_op: '>=',
      raise_threshold: lowest + 10 * n,
      raise_for_s: raiseForS,
      clear_threshold: lowest / 2,
      clear_for_s: 60,
    })),
  )

async function send({ server, token }: BenchEnvironment, method: string, path: string, body: object) {
  const answer = await call(server.url, method, `/api/v1/alarm_rules${path}`, { token, body })
  if (answer.status !== 200) throw new Error(`a rule: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}
