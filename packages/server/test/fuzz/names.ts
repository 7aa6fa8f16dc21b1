import fc from 'fast-check'
import { hostileText } from './hostile-values.ts'
import { freeForm, type Named } from './valid-values.ts'

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

/** Replaced by ids that the server has given to records of the run, so that generated requests do not depend on them. */
export const placeholders = {
  enrolments: numbered('enrolment-id', 6),
  emulations: numbered('emulation-id', 2),
}

const existingOrNew = (existing: readonly string[], suffix = '') =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...existing) },
    { weight: 2, arbitrary: fc.nat(1e6).map((n) => `new-${n}${suffix}`) },
    { weight: 1, arbitrary: hostileText },
  )
const agent = existingOrNew(victims.agents)
const agents = fc.array(agent, { minLength: 1, maxLength: 5 })
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

/** Values by the name of a parameter or member. */
export const named: Named = {
  ap_id: agent,
  agent,
  agent_id: agent,
  agents: fc.oneof(agents, fc.constant(['*'])),
  username: user,
  app_name: existingOrNew(victims.apps),
  job_number: existingOrNew([...victims.jobs, ...placeholders.emulations]),
  parent: existingOrNew(victims.jobs),
  id: existingOrNew(placeholders.enrolments),
  password: secret(passwordMark),
  new_password: secret(passwordMark),
  current_password: secret(passwordMark),
  client_secret: secret(passwordMark),
  token: secret(passwordMark),
  api_key: secret(keyMark),
  configuration: freeForm,
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

/** A body of operation 21, of free form: what agents send. */
export const update: fc.Arbitrary<Record<string, unknown>> = fc.record(
  {
    ap_id: agent,
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
