import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { register, type Size, turnBad } from './alarms/agents.ts'
import { Notifications } from './alarms/notifications.ts'
import { raise } from './alarms/raising.ts'
import { measureRates } from './alarms/rates.ts'
import { badValues, createRules, ruleCount, setDuration } from './alarms/rules.ts'
import { metrics, Telemetry } from './alarms/telemetry.ts'
import type { Bench } from './bench.ts'
import { createBenchEnvironment } from './environment.ts'

const full: Size = {
  agents: 10_000,
  bad: 500,
  withinS: 60,
  intervalS: 15,
  raiseForS: 60,
  steadyRounds: 4,
  turns: 3,
  // As a new route has by default: a second message five minutes after the first one.
  route: {},
  notifiedWithinS: 400,
}
const small: Size = {
  agents: 2000,
  bad: 100,
  withinS: 10,
  intervalS: 5,
  raiseForS: 10,
  steadyRounds: 2,
  turns: 1,
  route: { group_wait_s: 5, group_interval_s: 15 },
  notifiedWithinS: 120,
}
/**
 * Agents of which some turn bad, and rules that vmalert evaluates. The ratio is the rate of raised alarms, from the evaluation to
 * the committed rows, against vmalert with the same rules and a receiver that only answers.
 */
export const alarms: Bench = async ({ quick, log }) => {
  const size = quick ? small : full
  const folder = mkdtempSync(path.join(tmpdir(), 'manc-bench-alarms-'))
  const rulesFile = path.join(folder, 'rules.yml')
  const environment = await createBenchEnvironment(log, {
    variables: {
      MANC_ALARM_INTERVAL_SECONDS: String(size.intervalS),
      MANC_VMALERT_RULES_PATH: rulesFile,
      // The receiver is on this machine.
      MANC_WEBHOOK_PRIVATE: 'true',
    },
  })
  const { victoria } = environment.engines.urls
  const telemetry = new Telemetry(victoria, size.agents)
  try {
    await register(environment, size.agents)
    const ids = await createRules(environment, size.raiseForS)
    telemetry.start()
    const notifications = await Notifications.start(environment, size.route)
    let raised: Awaited<ReturnType<typeof raise>>
    try {
      raised = await raise({ environment, telemetry, notifications, size, rulesFile, log })
    } finally {
      await notifications.stop()
    }
    await setDuration(environment, ids, 0)
    const rates = await measureRates({ environment, folder, turns: size.turns, alarms: size.bad, log })
    turnBad(telemetry, size, { value: badValues.all, withinS: 0 })
    // Each agent has sent since then.
    await sleep(15_000)
    const perMetric = ruleCount / metrics.length
    log(`now each of them has an alarm of ${perMetric} rules`)
    const storm = await measureRates({
      environment,
      folder,
      turns: 1,
      alarms: size.bad * perMetric,
      log,
    })
    await telemetry.stop()
    return {
      ...rates,
      ...raised,
      agents: size.agents,
      rules: ruleCount,
      raise_for_s: size.raiseForS,
      interval_s: size.intervalS,
      storm_alarms: size.bad * perMetric,
      storm_ratio: storm.ratio,
      storm_ours_per_s: storm.ours_per_s,
      storm_bare_per_s: storm.bare_per_s,
    }
  } finally {
    await telemetry.stop().catch((error: unknown) => log(String(error)))
    await environment.end()
    rmSync(folder, { recursive: true, force: true })
  }
}
