import Type, { type Static } from 'typebox'
import { operation } from './operation.ts'
import { Done } from './schema.ts'

export const EnrolmentTokenCreate = Type.Object(
  {
    ap_id_pattern: Type.Optional(
      Type.String({
        default: '*',
        pattern: '^[A-Za-z0-9_:*-]{1,64}$',
        description: 'Ids of agents that it may register; `*` matches any characters.',
      }),
    ),
    max_uses: Type.Optional(Type.Integer({ default: 1, minimum: 1, maximum: 100_000 })),
    expires_in: Type.Optional(
      Type.Integer({ default: 86_400, minimum: 60, maximum: 31_536_000, description: 'Seconds from now.' }),
    ),
  },
  { title: 'EnrolmentTokenCreate' },
)
export type EnrolmentTokenCreate = Static<typeof EnrolmentTokenCreate>

const members = {
  id: Type.String({ format: 'uuid' }),
  ap_id_pattern: Type.String(),
  max_uses: Type.Integer(),
  uses: Type.Integer(),
  created_by: Type.String(),
  created_at: Type.String({ format: 'date-time' }),
  expires_at: Type.String({ format: 'date-time' }),
}

export const EnrolmentToken = Type.Object(members, { title: 'EnrolmentToken' })
export type EnrolmentToken = Static<typeof EnrolmentToken>

export const NewEnrolmentToken = Type.Object(
  {
    ...members,
    token: Type.String({
      description: 'Returned only once. Send it as the bearer token of `/agents/public`.',
    }),
  },
  { title: 'NewEnrolmentToken' },
)
export type NewEnrolmentToken = Static<typeof NewEnrolmentToken>

export const enrolmentOperations = {
  createEnrolmentToken: operation({
    id: 'createEnrolmentToken',
    method: 'POST',
    path: '/api/v1/enrolment_tokens',
    tag: 'Enrolment',
    summary: 'Create a token with which agents register themselves',
    auth: 'bearer',
    body: EnrolmentTokenCreate,
    response: NewEnrolmentToken,
    refusals: [401, 403, 429, 503],
    sdk: 'enrolment.create',
  }),
  listEnrolmentTokens: operation({
    id: 'listEnrolmentTokens',
    method: 'GET',
    path: '/api/v1/enrolment_tokens',
    tag: 'Enrolment',
    summary: 'List valid enrolment tokens',
    auth: 'bearer',
    response: Type.Array(EnrolmentToken),
    refusals: [401, 403, 429, 503],
    sdk: 'enrolment.list',
  }),
  deleteEnrolmentToken: operation({
    id: 'deleteEnrolmentToken',
    method: 'DELETE',
    path: '/api/v1/enrolment_tokens/{id}',
    tag: 'Enrolment',
    summary: 'Delete an enrolment token',
    auth: 'bearer',
    params: Type.Object({ id: Type.String() }),
    response: Done,
    refusals: [401, 403, 404, 429, 503],
    sdk: 'enrolment.remove',
  }),
}
