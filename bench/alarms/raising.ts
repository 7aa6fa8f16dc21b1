import { Vmalert } from '@manc/harness/vmalert-process'
import { median, percentile, rounded } from '../bench.ts'
import type { BenchEnvironment } from '../environment.ts'
import { usageOf, usageOfEngines } from '../usage.ts'
import { openAlarms, type Size, turnBad } from './agents.ts'
import { type Evaluation, Evaluations } from './evaluations.ts'
import type { Notifications } from './notifications.ts'
import { badValues, ruleCount } from './rules.ts'
import type { Telemetry } from './telemetry.ts'

/** An alarm that is later than this counts as missing. */
const patienceS = 120

interface Raising {
  environment: BenchEnvironment
  telemetry: Telemetry
  notifications: Notifications
  size: Size
  rulesFile: string
  log: (line: string) => void
}

/** Agents turn bad one after the other; their alarms are there some time after the duration of the rule. */
export async function raise({ environment, telemetry, notifications, size, rulesFile, log }: Raising) {
  const { server, engines } = environment
  const vmalert = new Vmalert({
    rules: rulesFile,
    victoria: engines.urls.victoria,
    notifier: server.internalUrl,
  })
  await vmalert.start()
  try {
    const evaluations = new Evaluations(vmalert.url)
    const usage = () => ({
      controller: usageOf([server.pid]).cpuS,
      vmalert: usageOf([vmalert.pid]).cpuS,
      store: usageOfEngines(engines.dir).victoria.cpuS,
      postgres: usageOfEngines(engines.dir).postgres.cpuS,
    })
    log(`${size.agents} agents, ${ruleCount} rules, nothing bad: ${size.steadyRounds} evaluations …`)
    // The first one has empty caches, and may be without the rules.
    for (let n = 0; n < 2; n++) await evaluations.next()
    const steady: Evaluation[] = []
    const [steadyFrom, steadyAt] = [usage(), performance.now()]
    for (let n = 0; n < size.steadyRounds; n++) steady.push(await evaluations.next())
    const steadyCpu = cpuMsPerS(steadyFrom, usage(), steadyAt)

    log(`${size.bad} agents turn bad within ${size.withinS} s, for ${size.raiseForS} s …`)
    turnBad(telemetry, size, { value: badValues.one, withinS: size.withinS })
    const raising: Evaluation[] = []
    const [from, at] = [usage(), performance.now()]
    const untilMs = Date.now() + (size.withinS + size.raiseForS + patienceS) * 1000
    while ((await openAlarms(environment)) < size.bad && Date.now() < untilMs)
      raising.push(await evaluations.next())
    const raisingCpu = cpuMsPerS(from, usage(), at)
    // Repeated alerts must not raise a second one.
    raising.push(await evaluations.next())

    const rows = (await environment.sql(
      'select ap_id as "apId", raised_at as "raisedAt" from alarms order by id',
    )) as { apId: string; raisedAt: Date }[]
    const delays = rows.map(({ apId, raisedAt }) => {
      const since = telemetry.badSince.get(apId)
      if (since === undefined) throw new Error(`${apId} has an alarm and was never bad`)
      return (raisedAt.getTime() - since) / 1000 - size.raiseForS
    })
    log('waiting until all are notified …')
    const firstAt = new Date(Math.min(...rows.map(({ raisedAt }) => raisedAt.getTime())))
    const notified = await notifications.figures(rows.length, firstAt, size.notifiedWithinS * 1000)
    const seconds = [...steady, ...raising].map((each) => each.seconds)
    return {
      alarms: rows.length,
      alarms_missing: size.bad - new Set(rows.map(({ apId }) => apId)).size,
      alarms_duplicated: rows.length - new Set(rows.map(({ apId }) => apId)).size,
      ...notified,
      after_duration_p50_s: rounded(percentile(delays, 0.5), 1),
      after_duration_max_s: rounded(Math.max(...delays), 1),
      evaluations: seconds.length,
      evaluation_p50_s: rounded(median(seconds), 3),
      evaluation_max_s: rounded(Math.max(...seconds), 3),
      cpu_ms_per_s_steady: steadyCpu,
      cpu_ms_per_s_raising: raisingCpu,
    }
  } finally {
    await vmalert.stop()
  }
}

function cpuMsPerS(
  before: Record<string, number>,
  after: Record<string, number>,
  startedAt: number,
): Record<string, number> {
  const seconds = (performance.now() - startedAt) / 1000
  return Object.fromEntries(
    Object.entries(after).map(([part, cpuS]) => [
      part,
      rounded(((cpuS - (before[part] ?? 0)) * 1000) / seconds, 1),
    ]),
  )
}
