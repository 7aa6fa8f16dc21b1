import {
  builtinRules,
  experimentSeriesColumns,
  type Operation,
  type OperationId,
  scenarios,
  steeringPolicyNames,
} from '@manc/contract'
import fc from 'fast-check'
import { hostileText } from './hostile-values.ts'
import { freeForm, moment, type Named } from './valid-values.ts'

/** Part of every password that the run sends or stores: no response may contain it. */
export const passwordMark = 'Pw7Secret'
/** Part of every API key. By the interface it is part of an app's record. */
export const keyMark = 'Key7Secret'

const numbered = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}-${n}`)

/** Records that exist at the start. Requests may delete or change them. */
export const victims = {
  agents: numbered('fuzz-agent', 6),
  users: numbered('fuzz-user', 6).map((name) => `${name}@fuzz.test`),
  apps: numbered('fuzz-app', 6),
  jobs: numbered('fuzz-job', 6),
}

/** They are online, at known positions and with clients. Requests neither delete them nor change their passwords. */
export const onlineAgents = numbered('fuzz-online', 4)

/** Replaced by ids that the server has given to records of the run, so that generated requests do not depend on them. */
export const placeholders = {
  enrolments: numbered('enrolment-id', 6),
  emulations: numbered('emulation-id', 2),
  views: numbered('view-id', 4),
  rollouts: numbered('rollout-id', 4),
  clients: numbered('client-id', 4),
  alarms: numbered('alarm-id', 4),
  rules: numbered('rule-id', 4),
  silences: numbered('silence-id', 4),
  proposals: numbered('proposal-id', 4),
  executed: numbered('executed-id', 2),
  experiments: numbered('experiment-id', 3),
  runs: numbered('run-id', 3),
  receivers: numbered('receiver-id', 4),
  routes: numbered('route-id', 4),
  deliveries: numbered('delivery-id', 3),
}

const existingOrNew = (existing: readonly string[], suffix = '') =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...existing) },
    { weight: 2, arbitrary: fc.nat(1e6).map((n) => `new-${n}${suffix}`) },
    { weight: 1, arbitrary: hostileText },
  )
const victim = existingOrNew(victims.agents)
const agent = existingOrNew([...victims.agents, ...onlineAgents])
const agents = fc.array(agent, { minLength: 1, maxLength: 5 })
const known = (existing: readonly string[]) =>
  fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...existing) }, { weight: 1, arbitrary: fc.uuid() })
const small = (max: number) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 1, max: 2 }) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max }) },
  )
const ruleId = fc.oneof(fc.constantFrom(...placeholders.rules, ...builtinRules.map(({ id }) => id)))
const user = existingOrNew(victims.users, '@fuzz.test')
const secret = (mark: string) => fc.nat(1e6).map((n) => `${mark}-${n}`)
const epoch = fc.oneof(
  fc.integer({ min: -10, max: 4e9 }),
  fc.constantFrom(1_794_000_000_000_000, 1_794_000_000),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
)
const window = fc
  .tuple(
    fc.double({ min: 0.1, max: 50, noNaN: true }),
    fc.constantFrom('', 's', 'm', 'H', ' days', 'min', 'w'),
  )
  .map(([number, unit]) => `${Math.round(number * 10) / 10}${unit}`)

/** Two, which take runs from each other. */
export const emulator = fc.constantFrom(
  '5f0c4a3e-7f0b-4a38-9a55-000000000001',
  '5f0c4a3e-7f0b-4a38-9a55-000000000002',
)
const degrees = (max: number) => fc.double({ min: -max, max, noNaN: true })

/** Columns of equal length, mostly. */
const series = fc
  .tuple(fc.nat(4), fc.boolean(), fc.integer({ min: 1, max: 60 }))
  .map(([length, isEqual, step]) => ({
    step_s: step,
    ...Object.fromEntries(
      experimentSeriesColumns.map((name, n) => [
        name,
        Array.from({ length: isEqual ? length : length + (n % 2) }, (_, at) => at * n),
      ]),
    ),
  }))

/** Small, so that a message to emulators is. */
const world = fc.oneof(
  fc.record({ name: fc.constantFrom('campus_day', 'lecture_rush', 'factory_hall', 'stadium') }),
  fc.record(
    {
      access_points: fc.array(
        fc.record(
          {
            technology: fc.constantFrom('5G', 'WiFi', 'LiFi'),
            count: fc.integer({ min: 1, max: 4 }),
            clients: fc.nat(4),
            spacing_m: fc.integer({ min: 1, max: 2000 }),
          },
          { requiredKeys: ['technology', 'count', 'clients'] },
        ),
        { minLength: 1, maxLength: 3 },
      ),
      scenario: fc.constantFrom(...scenarios),
      client_mix: fc.record({ web: fc.nat(2), video: fc.nat(2) }),
    },
    { requiredKeys: ['access_points'] },
  ),
)

/** Values by the name of a parameter or member. */
const named: Named = {
  ap_id: agent,
  agent,
  agent_id: agent,
  agents: fc.oneof(agents, fc.constant(['*'])),
  username: user,
  app_name: existingOrNew(victims.apps),
  job_number: existingOrNew([...victims.jobs, ...placeholders.emulations]),
  parent: existingOrNew(victims.jobs),
  ids: fc.array(fc.oneof(fc.constantFrom(...placeholders.alarms), fc.integer({ min: 1 }).map(String)), {
    minLength: 1,
    maxLength: 5,
  }),
  version: small(2 ** 31 - 1),
  run: small(100_000),
  run_id: known(placeholders.runs),
  receiver: known(placeholders.receivers),
  receiver_id: known(placeholders.receivers),
  reverts: fc.oneof(fc.constant(null), known(placeholders.executed)),
  client: existingOrNew(placeholders.clients),
  rule: ruleId,
  rule_ids: fc.array(ruleId, { maxLength: 2 }),
  password: secret(passwordMark),
  new_password: secret(passwordMark),
  current_password: secret(passwordMark),
  client_secret: secret(passwordMark),
  token: secret(passwordMark),
  api_key: secret(keyMark),
  configuration: freeForm,
  change: fc.oneof(fc.record({ mode: fc.nat(9), note: fc.constantFrom(null, 'x') }), freeForm),
  area: fc.oneof(
    fc.constant({ west: -180, south: -90, east: 180, north: 90 }),
    fc.record({ west: degrees(180), south: degrees(90), east: degrees(180), north: degrees(90) }),
  ),
  search: fc.oneof(fc.constantFrom('fuzz', 'ONLINE'), hostileText),
  time_zone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Mars', 'ABC+5'),
  emulator,
  series,
  world,
  policies: fc.uniqueArray(fc.constantFrom(...steeringPolicyNames), { minLength: 1, maxLength: 3 }),
  repetitions: fc.integer({ min: 1, max: 2 }),
  // Small, so that the number of records stays small.
  num_access_points: fc.integer({ min: 1, max: 2 }),
  locations: fc.array(fc.oneof(fc.constantFrom('Bristol', '51.45,-2.58', 'geo:51,-2'), hostileText), {
    minLength: 1,
    maxLength: 3,
  }),
  limit: fc.integer({ min: 1, max: 50 }),
  metrics: fc.oneof(fc.constantFrom('clients', 'clients,load'), fc.array(hostileText, { maxLength: 3 })),
  window,
  bbox: fc.constantFrom('-180,-90,180,90', '170,-10,-170,10', '-2.6,51,-2.5,52', '1,2,3'),
  after: fc.oneof(fc.constantFrom('1.1.1.all', victims.agents[0], '0', '17'), hostileText),
  permissions: fc.oneof(
    fc.constant({}),
    fc.record({ scopes: fc.constant(['agents:read', 'metrics:read']) }),
    fc.record({ agents: fc.array(fc.constantFrom('fuzz-*', '*', 'a*b*c*'), { maxLength: 3 }) }),
    freeForm,
  ),
  roles: fc.oneof(
    fc.constant([]),
    fc.constant(['user']),
    fc.array(fc.constantFrom('operator', 'night shift')),
  ),
}

/** Records whose id is the parameter `id`, by the part of the path before it. */
const identified: Readonly<Record<string, readonly string[]>> = {
  enrolment_tokens: placeholders.enrolments,
  rollouts: placeholders.rollouts,
  views: placeholders.views,
  clients: placeholders.clients,
  alarms: placeholders.alarms,
  alarm_rules: placeholders.rules,
  silences: placeholders.silences,
  decisions: [...placeholders.proposals, ...placeholders.executed],
  experiments: placeholders.experiments,
  notification_receivers: placeholders.receivers,
  notification_routes: placeholders.routes,
  notification_deliveries: placeholders.deliveries,
}

const selector = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('clients', 'load_pct', '{ap_id=~"fuzz-.*"}', '{__name__!=""}') },
  { weight: 1, arbitrary: hostileText },
)
const past = fc.oneof(moment, fc.constantFrom('1794000000', '1794000000.5', 'yesterday'))

const mostly = (other: fc.Arbitrary<string>, ...usual: string[]) =>
  fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: other })

/** The names of Prometheus mean something else elsewhere. */
const namedByPrometheus: Named = {
  query: fc.oneof(selector, fc.constantFrom('avg(clients) by (ap_id)', 'rate(clients[5m])', '1 + 1', 'sum(')),
  'match[]': fc.array(selector, { minLength: 1, maxLength: 3 }),
  time: past,
  start: mostly(past, 'moment-a-day-ago', 'moment-an-hour-ago'),
  end: mostly(past, 'moment-a-minute-ago', 'moment-in-an-hour'),
  step: mostly(fc.oneof(fc.constantFrom('0', '-1', '1ms'), hostileText), '60', '1m', '15s', '1h'),
  timeout: fc.constantFrom('5', '5s', '1m', '0', 'soon'),
}

/** Values by the name of a parameter or member of this operation. */
export function namedIn({ id, path }: Operation): Named {
  const [, , , resource = ''] = path.split('/')
  const ids = identified[resource]
  return {
    ...named,
    ...(ids && { id: existingOrNew(ids) }),
    ...(resource === 'prometheus' && namedByPrometheus),
    // Records of agents that stay online are not changed.
    ...(changesAgent.has(id) && { ap_id: victim }),
  }
}

const changesAgent: ReadonlySet<string> = new Set<OperationId>(['updateAgent', 'deleteAgent'])

/** A body of operation 21, of free form: what agents send. */
export const update: fc.Arbitrary<Record<string, unknown>> = fc.record(
  {
    ap_id: victim,
    ts: epoch,
    payload: fc.oneof(freeForm, fc.dictionary(fc.string({ maxLength: 20 }), fc.double({ noNaN: true }))),
    samples: fc.array(fc.record({ ts: epoch, payload: freeForm }, { requiredKeys: [] }), { maxLength: 4 }),
    configuration: freeForm,
    results: fc.array(
      fc.record({
        id: fc.uuid(),
        state: fc.constantFrom('delivered', 'succeeded', 'failed', 'unknown'),
        result: fc.jsonValue({ maxDepth: 3 }),
        detail: hostileText,
      }),
      { maxLength: 3 },
    ),
  },
  { requiredKeys: [] },
)
