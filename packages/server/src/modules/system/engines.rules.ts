import type { EngineState, Part, ProcessReport } from './parts.types.ts'
import { durationOf } from './texts.format.ts'

const namesOfKinds: Record<string, string> = {
  postgres: 'PostgreSQL',
  rabbitmq: 'RabbitMQ',
  victoriametrics: 'Metrics store',
  mail: 'Mail server',
}

const effects: Record<string, string> = {
  postgres: 'Nearly all requests are refused.',
  rabbitmq: 'Samples and commands wait at agents and in the database.',
  victoriametrics: 'Samples wait in RabbitMQ, and charts have no data.',
  mail: 'E-mails are sent later.',
}

/** How an engine is seen by this process and by the others. */
interface Seen {
  own: EngineState | undefined
  /** Other processes that do not reach it. */
  lost: (EngineState & { by: string })[]
  isReached: boolean
}

/** Of all engines that this process or another one uses. `reports` may contain the one of this process. */
export function engineParts(own: readonly EngineState[], reports: readonly ProcessReport[]): Part[] {
  const names = new Set([...own, ...reports.flatMap(({ engines }) => engines)].map(({ name }) => name))
  const seen = new Map([...names].map((name) => [name, seenAs(name, own, reports)]))
  return [...names].map((engine) => {
    const [kind = '', number] = engine.split('-')
    const hasOther = [...seen].some(
      ([name, { isReached }]) => name !== engine && name.split('-')[0] === kind && isReached,
    )
    const name = [namesOfKinds[kind] ?? kind, number].filter(Boolean).join(' ')
    return { id: engine.replace('-', '_'), name, ...judged(kind, seen.get(engine), hasOther) }
  })
}

function seenAs(name: string, own: readonly EngineState[], reports: readonly ProcessReport[]): Seen {
  const all = reports.flatMap(({ engines, host, roles }) =>
    engines
      .filter((each) => each.name === name)
      .map((each) => ({ ...each, by: `${host} (${roles.join(', ')})` })),
  )
  const state = own.find((each) => each.name === name)
  return {
    own: state,
    lost: all.filter(({ isUp }) => isUp === false),
    isReached: state ? state.isUp === true : all.some(({ isUp }) => isUp === true),
  }
}

const maxNamed = 3

function judged(kind: string, seen: Seen | undefined, hasOther: boolean): Omit<Part, 'id' | 'name'> {
  const { own, lost = [], isReached = false } = seen ?? {}
  if (isReached && lost.length === 0)
    return { state: 'good', reason: 'It answers.', ...(own?.since && { since: own.since }) }
  if (own?.isUp === undefined && lost.length === 0)
    return { state: 'unknown', reason: 'It was not checked yet.', nextStep: 'Read the health again.' }
  const since = own?.isUp === false ? own.since : lost[0]?.since
  const by = [...new Set(lost.map((each) => each.by))].slice(0, maxNamed).join('; ')
  const effect = hasOther ? 'Another one is used, and it gets what it misses later.' : effects[kind]
  return {
    state: hasOther || kind === 'mail' ? 'degraded' : 'bad',
    reason: [isReached || !own ? `It does not answer ${by}.` : 'It does not answer.', effect]
      .filter(Boolean)
      .join(' '),
    nextStep:
      kind === 'mail'
        ? 'Check the mail server and MANC_SMTP_URL.'
        : 'Check that it runs, and that the process reaches it.',
    runbook: 'runbooks/MancEngineDown',
    ...(since && { since }),
  }
}

/** vmalert sends the heartbeat with every evaluation. */
const missedEvaluations = 4
/** With `-rule.resendDelay=1m` it sends once a minute. */
const minSilenceS = 150

/** Null: never. */
export function vmalertPart(
  { rulesAgeS, alertsAgeS }: { rulesAgeS: number | null; alertsAgeS: number | null },
  intervalS: number,
): Omit<Part, 'id' | 'name'> {
  const figures = {
    ...(rulesAgeS !== null && { rules_age_s: rulesAgeS }),
    ...(alertsAgeS !== null && { alerts_age_s: alertsAgeS }),
  }
  const maxAgeS = Math.max(minSilenceS, missedEvaluations * intervalS)
  if (alertsAgeS !== null && alertsAgeS <= maxAgeS)
    return { state: 'good', reason: 'It evaluates the rules of alarms.', figures }
  const runbook = 'alarms'
  if (rulesAgeS !== null && rulesAgeS <= maxAgeS)
    return {
      state: 'bad',
      reason: 'It reads the rules, but sends no alerts: no alarms of KPIs are raised.',
      nextStep: 'Check -datasource.url and -notifier.url of vmalert, and its log.',
      runbook,
      figures,
    }
  const ages = [rulesAgeS, alertsAgeS].filter((age) => age !== null)
  if (ages.length === 0)
    return {
      state: 'degraded',
      reason: 'It has never contacted the controller: no alarms of KPIs are raised.',
      nextStep: 'Start vmalert.',
      runbook,
      figures,
    }
  return {
    state: 'bad',
    reason: `Its last contact was ${durationOf(Math.min(...ages))} ago: no alarms of KPIs are raised.`,
    nextStep: 'Check that vmalert runs, and that it reaches the internal listener.',
    runbook,
    figures,
  }
}
