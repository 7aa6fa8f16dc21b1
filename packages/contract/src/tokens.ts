import Type, { type Static } from 'typebox'
import { operation } from './operation.ts'
import { Nullable } from './schema.ts'

export const LoginType = Type.Union(
  [Type.Literal('user'), Type.Literal('agent'), Type.Literal('third_party_app')],
  { description: 'Kind of caller.' },
)
export type LoginType = Static<typeof LoginType>

export const LoginForm = Type.Object(
  {
    grant_type: Type.Optional(Nullable(Type.String({ pattern: 'password' }))),
    username: Type.String({ description: 'The user name, the `ap_id` or the `app_name`.' }),
    password: Type.String({ description: 'The password, or the `api_key` of an app.' }),
    scope: Type.Optional(Type.String({ default: '', description: 'Accepted and ignored.' })),
    client_id: Type.Optional(Nullable(Type.String({ description: 'Accepted and ignored.' }))),
    client_secret: Type.Optional(Nullable(Type.String({ description: 'Accepted and ignored.' }))),
  },
  { title: 'LoginForm' },
)
export type LoginForm = Static<typeof LoginForm>

export const Token = Type.Object(
  {
    access_token: Type.String(),
    token_type: Type.String({ description: 'Always `bearer`.' }),
    expires_in: Type.Integer({ description: 'Seconds until the token expires.' }),
  },
  { title: 'Token' },
)
export type Token = Static<typeof Token>

export const tokenOperations = {
  logIn: operation({
    id: 'logIn',
    number: 1,
    method: 'POST',
    path: '/api/v1/token/',
    tag: 'Token',
    summary: 'Log in as a user, an agent or a third-party application',
    auth: 'none',
    query: Type.Object({ login_type: LoginType }),
    form: LoginForm,
    response: Token,
    refusals: [401, 429, 503],
  }),
}
