import Type, { type Static } from 'typebox'
import { operation } from './operation.ts'
import { Done, Nullable } from './schema.ts'

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
    description:
      'The response is 403 if the password is right, but the user has not confirmed the sign-up (`MANC_SIGNUP=confirmed`).',
    auth: 'none',
    query: Type.Object({ login_type: LoginType }),
    form: LoginForm,
    response: Token,
    refusals: [401, 403, 429, 503],
  }),
  renewToken: operation({
    id: 'renewToken',
    method: 'POST',
    path: '/api/v1/token/renew',
    tag: 'Token',
    summary: "Get a new token of the user's session, without the password",
    description:
      'The token in use stays valid until it expires. A session that is not renewed ends with its token. After its maximum duration (`MANC_SESSION_SECONDS`, 12 hours by default) it is not renewed: log in again.',
    auth: 'bearer',
    response: Token,
    refusals: [401, 403, 429, 503],
  }),
  endSession: operation({
    id: 'endSession',
    method: 'DELETE',
    path: '/api/v1/token/',
    tag: 'Token',
    summary: 'Log out',
    description:
      'Revokes all tokens of the session that began with the login, on all replicas, and closes its WebSockets. Other sessions of the account continue.',
    auth: 'bearer',
    response: Done,
    refusals: [401, 403, 429, 503],
  }),
}
