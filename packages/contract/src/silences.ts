import Type, { type Static } from 'typebox'
import { operation } from './operation.ts'
import { Done, MomentWith, Nullable, oneOf, pageFields, storable } from './schema.ts'
import { technologies } from './technologies.ts'

/** In the order of ISO 8601: Monday is the first. */
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof weekdays)[number]

export const silenceStates = ['active', 'scheduled', 'ended'] as const
export type SilenceState = (typeof silenceStates)[number]

/** A longer window would overlap that of the next day. */
const maxWindowMin = 24 * 60

const SilenceRecurrence = Type.Object(
  {
    days: Type.Array(oneOf(weekdays), {
      minItems: 1,
      maxItems: weekdays.length,
      description: 'Days of the week on which a window starts.',
    }),
    at: Type.String({
      pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
      description: 'Local time at which a window starts, such as `02:00`.',
    }),
    duration_min: Type.Integer({
      minimum: 1,
      maximum: maxWindowMin,
      description:
        'Elapsed minutes, also if the clock changes within the window. It may end on the next day.',
    }),
    time_zone: Type.String({
      pattern: '^[A-Za-z][A-Za-z0-9_+/-]{0,63}$',
      description: 'IANA time zone of `days` and `at`, such as `Europe/Berlin`.',
    }),
  },
  { title: 'SilenceRecurrence' },
)
export type SilenceRecurrence = Static<typeof SilenceRecurrence>

const Comment = Type.String({
  minLength: 1,
  maxLength: 1000,
  pattern: storable,
  description: 'Why alarms are silenced.',
})

export const SilenceCreate = Type.Object(
  {
    comment: Comment,
    rule_ids: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64, pattern: storable }), {
        default: [],
        maxItems: 20,
        description: 'Only alarms of the rules with these ids. Empty: all.',
      }),
    ),
    technologies: Type.Optional(
      Type.Array(oneOf(technologies), {
        default: [],
        maxItems: technologies.length,
        description: 'Only alarms of agents of these technologies. Empty: all.',
      }),
    ),
    ap_ids: Type.Optional(
      Type.Array(Type.String({ pattern: '^[A-Za-z0-9_:*-]{1,64}$' }), {
        default: [],
        maxItems: 100,
        description:
          'Only alarms of agents whose id matches one of these patterns; `*` matches any characters. Empty: all.',
      }),
    ),
    starts_at: Type.Optional(Nullable(MomentWith('The default is now.'))),
    ends_at: Type.Optional(
      Nullable(
        MomentWith(
          'Required without `recurrence`, and then at most a year after `starts_at`. With it, null repeats the windows until the silence is ended.',
        ),
      ),
    ),
    recurrence: Type.Optional(Nullable(SilenceRecurrence)),
  },
  { title: 'SilenceCreate' },
)
export type SilenceCreate = Static<typeof SilenceCreate>

export const SilenceUpdate = Type.Object(
  {
    comment: Type.Optional(Comment),
    ends_at: Type.Optional(
      Nullable(MomentWith('A time in the future. Null only with `recurrence`: the windows have no end.')),
    ),
  },
  { title: 'SilenceUpdate' },
)
export type SilenceUpdate = Static<typeof SilenceUpdate>

export const Silence = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    comment: Type.String(),
    rule_ids: Type.Array(Type.String()),
    technologies: Type.Array(oneOf(technologies)),
    ap_ids: Type.Array(Type.String()),
    starts_at: Type.String({ format: 'date-time' }),
    ends_at: Nullable(Type.String({ format: 'date-time' })),
    recurrence: Nullable(SilenceRecurrence),
    state: oneOf(
      silenceStates,
      '`active`: alarms are silenced now. `scheduled`: it has not started, or is between two windows.',
    ),
    active_until: Nullable(
      Type.String({ format: 'date-time', description: 'End of the silence or window that is active now.' }),
    ),
    next_start_at: Nullable(
      Type.String({
        format: 'date-time',
        description: 'Next start of the silence or of a window.',
      }),
    ),
    created_by: Type.String(),
    created_at: Type.String({ format: 'date-time' }),
  },
  { title: 'Silence' },
)
export type Silence = Static<typeof Silence>

const SilencePath = Type.Object({ id: Type.String({ maxLength: 64 }) })

export const silenceOperations = {
  listSilences: operation({
    id: 'listSilences',
    method: 'GET',
    path: '/api/v1/silences',
    tag: 'Alarms',
    summary: 'List silences and maintenance windows, newest first',
    description:
      'A `Link` header points to the next page. An app gets those that it created, and those whose agents its permissions cover.',
    auth: 'bearer',
    query: Type.Object({
      state: Type.Optional(
        Type.Array(oneOf(silenceStates), {
          description: 'Only these states. Can be repeated. The default is `active` and `scheduled`.',
        }),
      ),
      ...pageFields,
    }),
    response: Type.Array(Silence),
    refusals: [401, 403, 429, 503],
    sdk: 'alarms.silences',
  }),
  createSilence: operation({
    id: 'createSilence',
    method: 'POST',
    path: '/api/v1/silences',
    tag: 'Alarms',
    summary: 'Silence alarms for a time, or in weekly maintenance windows',
    description:
      'Silenced alarms are raised and cleared as usual, but not notified. An app can silence only agents that its permissions cover.',
    auth: 'bearer',
    body: SilenceCreate,
    response: Silence,
    refusals: [401, 403, 409, 429, 503],
    sdk: 'alarms.silence',
  }),
  updateSilence: operation({
    id: 'updateSilence',
    method: 'PUT',
    path: '/api/v1/silences/{id}',
    tag: 'Alarms',
    summary: 'Change the end or the comment of a silence',
    description: 'Members that are left out are not changed. An app can change the silences that it created.',
    auth: 'bearer',
    params: SilencePath,
    body: SilenceUpdate,
    response: Silence,
    refusals: [401, 403, 404, 409, 429, 503],
    sdk: 'alarms.updateSilence',
  }),
  endSilence: operation({
    id: 'endSilence',
    method: 'DELETE',
    path: '/api/v1/silences/{id}',
    tag: 'Alarms',
    summary: 'End a silence now',
    description: 'It is still listed with the state `ended`. An app can end the silences that it created.',
    auth: 'bearer',
    params: SilencePath,
    response: Done,
    refusals: [401, 403, 404, 409, 429, 503],
    sdk: 'alarms.endSilence',
  }),
}
