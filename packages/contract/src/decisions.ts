import Type, { type Static } from 'typebox'
import { apIdPattern } from './agents.ts'
import { jobStates } from './jobs.ts'
import { kpiNames } from './kpis.ts'
import { operation } from './operation.ts'
import { Moment, MomentWith, Nullable, oneOf, pageFields, storable } from './schema.ts'

export const decisionModes = ['watch', 'advise', 'act'] as const
export type DecisionMode = (typeof decisionModes)[number]

/**
 * In mode `watch` a decision is `recorded` and later `measured`. In mode `advise` it is `proposed`, and then `rejected`,
 * `expired`, or executed when a person confirms it. In mode `act` it is executed at once, or `refused` by the arbiter. An
 * executed decision is later `measured`, and `reverted` when another decision undoes it.
 */
export const decisionStates = [
  'recorded',
  'proposed',
  'rejected',
  'expired',
  'refused',
  'executed',
  'measured',
  'reverted',
] as const
export type DecisionState = (typeof decisionStates)[number]

/** What the arbiter decided about one command. All commands of a decision are sent, or none. */
export const commandVerdicts = ['granted', 'held', 'not_accepted', 'no_agent', 'not_sent'] as const
export type CommandVerdict = (typeof commandVerdicts)[number]

const maxObserved = 50
const maxExpected = 20
const maxCommands = 20

const ApId = Type.String({ pattern: apIdPattern })
/** Of the metrics of the contract, which have a unit and a direction. */
const KpiOfAgent = { ap_id: ApId, kpi: oneOf(kpiNames) }

const ObservedValue = Type.Object(
  { ...KpiOfAgent, value: Type.Number(), at: MomentWith('Time of the sample.') },
  { title: 'ObservedValue' },
)

const ExpectedEffect = Type.Object(
  {
    ...KpiOfAgent,
    from: Nullable(Type.Number({ description: 'Before the commands.' })),
    to: Type.Number({ description: 'After them.' }),
  },
  { title: 'ExpectedEffect' },
)
export type ExpectedEffect = Static<typeof ExpectedEffect>

const DecisionCommandCreate = Type.Object(
  { ap_id: ApId, command: Type.String({ minLength: 1, maxLength: 1024, pattern: storable }) },
  { title: 'DecisionCommandCreate' },
)

export const DecisionCreate = Type.Object(
  {
    policy: Type.String({
      minLength: 1,
      maxLength: 64,
      pattern: storable,
      description: 'Name of the policy that the decision follows, such as `load-balancing`.',
    }),
    mode: oneOf(
      decisionModes,
      '`watch`: only recorded. `advise`: a person confirms or rejects it. `act`: its commands are sent at once.',
    ),
    reason: Type.String({
      minLength: 1,
      maxLength: 2000,
      pattern: storable,
      description: 'In words, for people.',
    }),
    client: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: 128,
          pattern: storable,
          description: 'Id of the client that the decision is about.',
        }),
      ),
    ),
    observed: Type.Optional(
      Type.Array(ObservedValue, {
        default: [],
        maxItems: maxObserved,
        description: 'The values that led to the decision.',
      }),
    ),
    expected: Type.Array(ExpectedEffect, {
      minItems: 1,
      maxItems: maxExpected,
      description: 'The controller measures these KPIs after the commands.',
    }),
    commands: Type.Optional(
      Type.Array(DecisionCommandCreate, {
        default: [],
        maxItems: maxCommands,
        description: 'Sent as one job: all of them, or none. Required in the modes `advise` and `act`.',
      }),
    ),
    expires_in_s: Type.Optional(
      Type.Integer({
        default: 600,
        minimum: 10,
        maximum: 86_400,
        description: 'A proposal that is neither confirmed nor rejected within this time expires.',
      }),
    ),
    reverts: Type.Optional(
      Nullable(
        Type.String({
          format: 'uuid',
          description: 'Id of an executed decision of the same owner that this one undoes.',
        }),
      ),
    ),
  },
  { title: 'DecisionCreate' },
)
export type DecisionCreate = Static<typeof DecisionCreate>

const DecisionCommand = Type.Object(
  {
    ap_id: Type.String(),
    command: Type.String(),
    verdict: Nullable(
      oneOf(
        commandVerdicts,
        '`held`: another application with the same or a higher priority has reserved the access point. `not_accepted`: the access point does not list the command. `no_agent`: there is no such access point. `not_sent`: another command of the decision was refused. Null before the arbiter has decided.',
      ),
    ),
    detail: Nullable(Type.String({ description: 'Explanation of the verdict or of the state.' })),
    job_number: Nullable(Type.String({ description: 'Number of its part of the job.' })),
    state: Nullable(oneOf(jobStates, 'State of the command; null if it was not sent.')),
    result: Type.Unknown({
      description:
        'What the access point has answered, of at most 2,000 characters; null without or before it.',
    }),
    ended_at: Nullable(Type.String({ format: 'date-time' })),
  },
  { title: 'DecisionCommand' },
)
export type DecisionCommand = Static<typeof DecisionCommand>

const MeasuredEffect = Type.Object(
  {
    ap_id: Type.String(),
    kpi: oneOf(kpiNames),
    before: Nullable(Type.Number({ description: 'Last value before the commands; null without a sample.' })),
    after: Nullable(
      Type.Number({ description: 'Last value up to the time of the measurement; null without a sample.' }),
    ),
  },
  { title: 'MeasuredEffect' },
)
export type MeasuredEffect = Static<typeof MeasuredEffect>

export const Decision = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    owner: Type.String({ description: 'Name of the app, or of the user, that has decided.' }),
    owner_kind: oneOf(['app', 'user']),
    policy: Type.String(),
    mode: oneOf(decisionModes),
    state: oneOf(decisionStates),
    reason: Type.String(),
    client: Nullable(Type.String()),
    observed: Type.Array(
      Type.Object({
        ap_id: Type.String(),
        kpi: oneOf(kpiNames),
        value: Type.Number(),
        at: Type.String({ format: 'date-time' }),
      }),
    ),
    expected: Type.Array(
      Type.Object({
        ap_id: Type.String(),
        kpi: oneOf(kpiNames),
        from: Nullable(Type.Number()),
        to: Type.Number(),
      }),
    ),
    commands: Type.Array(DecisionCommand),
    job_number: Nullable(Type.String({ description: 'The job of its commands, which the owner can read.' })),
    measured: Nullable(
      Type.Array(MeasuredEffect, {
        description: 'What the controller has measured for the KPIs of `expected`. Null before it has.',
      }),
    ),
    reverts: Nullable(Type.String({ format: 'uuid', description: 'The decision that this one undoes.' })),
    reverted_by: Nullable(
      Type.String({ format: 'uuid', description: 'The decision that has undone this one.' }),
    ),
    created_at: Type.String({ format: 'date-time' }),
    expires_at: Nullable(Type.String({ format: 'date-time', description: 'End of a proposal.' })),
    decided_by: Nullable(Type.String({ description: 'The user who has confirmed or rejected it.' })),
    decided_at: Nullable(Type.String({ format: 'date-time' })),
    executed_at: Nullable(Type.String({ format: 'date-time' })),
    measure_at: Nullable(
      Type.String({ format: 'date-time', description: 'The time for which the KPIs are measured.' }),
    ),
    measured_at: Nullable(Type.String({ format: 'date-time' })),
  },
  { title: 'Decision' },
)
export type Decision = Static<typeof Decision>

const filterFields = {
  owner: Type.Optional(Type.String({ maxLength: 320, description: 'Only those of this app or user.' })),
  ap_id: Type.Optional(
    Type.String({ maxLength: 320, description: 'Only those that name this access point.' }),
  ),
  client: Type.Optional(Type.String({ maxLength: 128, description: 'Only those about this client.' })),
  state: Type.Optional(
    Type.Array(oneOf(decisionStates), { description: 'Only these states. Can be repeated.' }),
  ),
  from: Type.Optional(Moment),
  to: Type.Optional(Moment),
}

const visibility =
  'An app gets the decisions that it has created, as far as its permissions cover all access points that they name.'
const DecisionPath = Type.Object({ id: Type.String({ maxLength: 64 }) })

export const decisionOperations = {
  createDecision: operation({
    id: 'createDecision',
    method: 'POST',
    path: '/api/v1/decisions',
    tag: 'Decisions',
    summary: 'Record a decision, propose it, or execute it',
    description:
      'The permissions of an app have to cover every access point that the decision names, and to send commands in mode `act`. The response has the verdict of the arbiter for each command. With an `Idempotency-Key` a repeated request creates no second decision and no second command.',
    auth: 'bearer',
    idempotent: true,
    body: DecisionCreate,
    response: Decision,
    refusals: [401, 403, 404, 409, 429, 503],
    sdk: 'decisions.create',
  }),
  listDecisions: operation({
    id: 'listDecisions',
    method: 'GET',
    path: '/api/v1/decisions',
    tag: 'Decisions',
    summary: 'List decisions, newest first',
    description: `A \`Link\` header points to the next page. ${visibility}`,
    auth: 'bearer',
    query: Type.Object({ ...filterFields, ...pageFields }),
    response: Type.Array(Decision),
    refusals: [401, 403, 429, 503],
    sdk: 'decisions.list',
    cli: { columns: ['id', 'created_at', 'owner', 'policy', 'mode', 'state'] },
  }),
  exportDecisions: operation({
    id: 'exportDecisions',
    method: 'GET',
    path: '/api/v1/decisions/export',
    tag: 'Decisions',
    summary: 'Export decisions as JSON lines, newest first',
    description: visibility,
    auth: 'bearer',
    query: Type.Object(filterFields),
    response: Type.String({ description: 'One Decision as JSON per line.' }),
    isJsonLines: true,
    refusals: [401, 403, 429, 503],
  }),
  getDecision: operation({
    id: 'getDecision',
    method: 'GET',
    path: '/api/v1/decisions/{id}',
    tag: 'Decisions',
    summary: 'Read one decision',
    description: visibility,
    auth: 'bearer',
    params: DecisionPath,
    response: Decision,
    refusals: [401, 403, 404, 429, 503],
    sdk: 'decisions.get',
  }),
  confirmDecision: operation({
    id: 'confirmDecision',
    method: 'POST',
    path: '/api/v1/decisions/{id}/confirm',
    tag: 'Decisions',
    summary: 'Confirm a proposal, which sends its commands',
    description:
      'With the permissions and the priority that its app has now. 409: it is no open proposal, or the arbiter has refused a command; then the proposal stays open. A repeated confirmation changes nothing.',
    auth: 'bearer',
    params: DecisionPath,
    response: Decision,
    refusals: [401, 403, 404, 409, 429, 503],
    sdk: 'decisions.confirm',
  }),
  rejectDecision: operation({
    id: 'rejectDecision',
    method: 'POST',
    path: '/api/v1/decisions/{id}/reject',
    tag: 'Decisions',
    summary: 'Reject a proposal',
    description: 'A repeated rejection changes nothing.',
    auth: 'bearer',
    params: DecisionPath,
    response: Decision,
    refusals: [401, 403, 404, 409, 429, 503],
    sdk: 'decisions.reject',
  }),
}
