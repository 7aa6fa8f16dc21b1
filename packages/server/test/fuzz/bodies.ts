import {
  alarmMetrics,
  alarmSeverities,
  ExperimentRunResult,
  type OperationId,
  operations,
  SteeringPolicy,
  steeringPolicyNames,
  weekdays,
} from '@manc/contract'
import fc from 'fast-check'
import { emulator, namedIn, onlineAgents, placeholders } from './names.ts'
import { moment, validFor } from './valid-values.ts'

const name = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 20 })
const later = fc.oneof(fc.constantFrom('moment-in-an-hour', 'moment-in-a-day', 'moment-in-a-month'), moment)
const technologies = fc.subarray(['5G', 'WiFi', 'LiFi', 'other'])
const patterns = fc.array(fc.constantFrom('fuzz-*', '*', 'fuzz-online-1', 'a*b*c'), { maxLength: 3 })
const seconds = fc.integer({ min: 0, max: 600 })

/** Named values of members do not depend on the operation. */
const valuesOf = (schema: Parameters<typeof validFor>[0]) =>
  validFor(schema, namedIn(operations.createWhatIf))

const comparedRule = fc.record(
  {
    name,
    severity: fc.constantFrom(...alarmSeverities),
    metric: fc.constantFrom(...alarmMetrics.filter((metric) => !['expression', 'presence'].includes(metric))),
    raise_op: fc.constantFrom('>=', '<='),
    raise_threshold: fc.double({ min: -1e6, max: 1e6, noNaN: true }),
    raise_for_s: seconds,
    clear_for_s: seconds,
    technologies,
    ap_ids: patterns,
    is_enabled: fc.boolean(),
  },
  { requiredKeys: ['name', 'severity', 'metric', 'raise_op', 'raise_threshold'] },
)
const expressionRule = comparedRule.chain((rule) =>
  fc
    .constantFrom('clients', 'avg(load_pct) by (ap_id)', 'clients / 0', 'sum(', '{ap_id=~"fuzz-.*"}', '1')
    .map((expr) => ({ ...rule, metric: 'expression', expr })),
)
const presenceRule = fc.record({ name, severity: fc.constant('info'), metric: fc.constant('presence') })
const rule = fc.oneof({ weight: 4, arbitrary: comparedRule }, expressionRule, presenceRule)

const recurrence = fc.record({
  days: fc.array(fc.constantFrom(...weekdays), { minLength: 1, maxLength: 4 }),
  at: fc.constantFrom('00:00', '02:30', '23:59'),
  duration_min: fc.integer({ min: 1, max: 1440 }),
  time_zone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/St_Johns', 'Pacific/Apia'),
})
const silence = fc.record(
  { comment: name, ends_at: later, starts_at: moment, technologies, ap_ids: patterns, recurrence },
  { requiredKeys: ['comment', 'ends_at'] },
)

const webhook = fc.record({
  name,
  type: fc.constant('webhook'),
  url: fc.constantFrom(
    'https://hooks.fuzz.test/a?b#c',
    'http://localhost:1/',
    'http://127.0.0.1/',
    'https://[::ffff:10.0.0.1]/',
    'https://user:password@hooks.fuzz.test/',
    'https://xn--/',
    'http://a.test:99999/',
  ),
})
const mailbox = fc.record({
  name,
  type: fc.constant('email'),
  addresses: fc.array(fc.constantFrom('a@fuzz.test', 'b@fuzz.test'), { minLength: 1, maxLength: 3 }),
})
const receiver = fc.oneof({ weight: 3, arbitrary: webhook }, mailbox)

const selected = fc.record(
  {
    agents: fc.array(fc.constantFrom(...onlineAgents, 'new-1'), { minLength: 1, maxLength: 4 }),
    technology: fc.subarray(['5G', 'WiFi', 'LiFi'], { minLength: 1 }),
    name,
    horizon_s: fc.integer({ min: 300, max: 7200 }),
    repetitions: fc.integer({ min: 1, max: 2 }),
    seed: name,
  },
  { requiredKeys: ['agents'] },
)
const asked = fc.oneof(
  fc.record({ policy: fc.constantFrom(...steeringPolicyNames) }),
  fc.record({ document: valuesOf(SteeringPolicy) }),
  fc.record({
    command: fc.record({
      ap_id: fc.constantFrom(...onlineAgents),
      command: fc.constantFrom('sleep', 'wake', 'set_channel 6', 'steer_client fuzz-online-1 2', 'reboot'),
    }),
  }),
)

const report = fc.record(
  {
    run_id: fc.constantFrom(...placeholders.runs),
    emulator,
    state: fc.constantFrom('started', 'running', 'finished', 'failed'),
    progress_pct: fc.integer({ min: 0, max: 100 }),
    redelivered: fc.boolean(),
    result: valuesOf(ExperimentRunResult),
  },
  { requiredKeys: ['run_id', 'emulator', 'state', 'result'] },
)

/** Bodies whose members depend on each other, which the schema cannot express. */
export const coherentBodies: Readonly<Partial<Record<OperationId, fc.Arbitrary<unknown>>>> = {
  createAlarmRule: rule,
  previewAlarmRule: rule,
  updateAlarmRule: rule,
  createSilence: silence,
  createNotificationReceiver: receiver,
  updateNotificationReceiver: receiver,
  createWhatIf: fc.tuple(selected, asked).map(([agents, what]) => ({ ...agents, ...what })),
  postExperimentRun: report,
}
