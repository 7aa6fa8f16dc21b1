import Type, { type Static } from 'typebox'
import { operation } from './operation.ts'
import { Done, Nullable, Page } from './schema.ts'

const Username = Type.String({ format: 'email' })

export const NewPassword = Type.String({ minLength: 8, maxLength: 256 })

/** No comma, which separates the joined `roles` of a response, and no control characters. */
export const Roles = Type.Array(
  Type.String({ minLength: 1, maxLength: 64, pattern: '^[^,\\u0000-\\u001f\\u007f]*$' }),
  {
    maxItems: 32,
    description:
      '`user`, `operator` and `admin` (also `administrator`) grant rights; any other value is a label.',
  },
)

export const TokenData = Type.Object(
  {
    username: Type.Optional(Nullable(Type.String({ description: 'Login name, an e-mail address.' }))),
    roles: Type.String({ description: 'Roles, joined with `,`.' }),
    scopes: Type.Optional(
      Type.Array(Type.String(), { default: [], description: 'Scopes that the roles grant.' }),
    ),
  },
  { title: 'TokenData' },
)
export type TokenData = Static<typeof TokenData>

export const UserCreate = Type.Object(
  { username: Username, password: NewPassword, roles: Roles },
  { title: 'UserCreate' },
)
export type UserCreate = Static<typeof UserCreate>

export const UserRegister = Type.Object(
  { username: Username, password: NewPassword },
  { title: 'UserRegister' },
)
export type UserRegister = Static<typeof UserRegister>

export const UserUpdate = Type.Object(
  {
    password: Type.Optional(Nullable(NewPassword)),
    roles: Type.Optional(Nullable(Roles)),
    current_password: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 256,
          description:
            "Extension: with a new password for one's own account, the password in use. If it is sent it must be right; `MANC_CURRENT_PASSWORD=required` makes it mandatory.",
        }),
      ),
    ),
  },
  { title: 'UserUpdate', description: 'Absent and null mean unchanged.' },
)
export type UserUpdate = Static<typeof UserUpdate>

export const PasswordRecoveryRequest = Type.Object(
  { username: Username },
  { title: 'PasswordRecoveryRequest' },
)

export const PasswordReset = Type.Object(
  {
    token: Type.String({ description: 'Reset token from the e-mail.' }),
    new_password: NewPassword,
  },
  { title: 'PasswordReset' },
)
export type PasswordReset = Static<typeof PasswordReset>

export const SignUpConfirmation = Type.Object(
  {
    token: Type.String({ description: 'Confirmation token from the e-mail.' }),
    password: NewPassword,
  },
  { title: 'SignUpConfirmation', description: 'The password is the one of the sign-up.' },
)
export type SignUpConfirmation = Static<typeof SignUpConfirmation>

export const SignInOptions = Type.Object(
  {
    signup: Type.Union([Type.Literal('open'), Type.Literal('confirmed'), Type.Literal('closed')], {
      description:
        '`open`: anyone may sign up. `confirmed`: also, and confirms it with the link in an e-mail. `closed`: only administrators create accounts.',
    }),
    current_password: Type.Union([Type.Literal('optional'), Type.Literal('required')], {
      description: "Whether a change of one's own password needs the password in use.",
    }),
  },
  { title: 'SignInOptions' },
)
export type SignInOptions = Static<typeof SignInOptions>

const UserPath = Type.Object({ username: Type.String() })

export const userOperations = {
  createUserPublic: operation({
    id: 'createUserPublic',
    number: 2,
    method: 'POST',
    path: '/api/v1/users/public',
    tag: 'Users',
    summary: 'Create a user, or the first administrator',
    description:
      'Requires the token of an administrator or, while there is no administrator, the one-time setup token from the log.',
    auth: 'bearer',
    body: UserCreate,
    response: TokenData,
    refusals: [401, 403, 409, 429, 503],
  }),
  signUp: operation({
    id: 'signUp',
    number: 3,
    method: 'POST',
    path: '/api/v1/users/signup',
    tag: 'Users',
    summary: 'Sign up as a standard user',
    description:
      'With `MANC_SIGNUP=closed` the response is 403: only administrators create accounts. With `MANC_SIGNUP=confirmed` an e-mail with a link is sent, and logins are refused with 403 until it was used. A later sign-up with the same name replaces one that is not confirmed and sends another e-mail.',
    auth: 'none',
    body: UserRegister,
    response: TokenData,
    refusals: [403, 409, 429, 503],
    sdk: 'users.signUp',
  }),
  confirmSignUp: operation({
    id: 'confirmSignUp',
    method: 'POST',
    path: '/api/v1/users/confirm-signup',
    tag: 'Users',
    summary: 'Confirm a sign-up with the token of the e-mail',
    description:
      'Needs the password of the sign-up, so that an account of which another person has the password is not confirmed by mistake. The owner of the e-mail address can set another password with the same token: `POST /api/v1/users/reset-password`, which confirms the account too.',
    auth: 'none',
    body: SignUpConfirmation,
    response: TokenData,
    refusals: [400, 403, 429, 503],
    sdk: 'users.confirmSignUp',
  }),
  recoverPassword: operation({
    id: 'recoverPassword',
    number: 4,
    method: 'POST',
    path: '/api/v1/users/password-recovery',
    tag: 'Users',
    summary: 'Request an e-mail with a reset token',
    description: 'The response is the same whether or not the account exists.',
    auth: 'none',
    body: PasswordRecoveryRequest,
    response: Done,
    refusals: [429, 503],
  }),
  resetPassword: operation({
    id: 'resetPassword',
    number: 5,
    method: 'POST',
    path: '/api/v1/users/reset-password',
    tag: 'Users',
    summary: 'Set a new password with a reset token',
    auth: 'none',
    body: PasswordReset,
    response: Done,
    refusals: [400, 429, 503],
    sdk: 'users.resetPassword',
  }),
  listUsers: operation({
    id: 'listUsers',
    number: 6,
    method: 'GET',
    path: '/api/v1/users/',
    tag: 'Users',
    summary: 'List all users',
    auth: 'bearer',
    query: Page,
    response: Type.Array(TokenData),
    refusals: [401, 403, 429, 503],
    sdk: 'users.list',
    cli: { columns: ['username', 'roles'] },
  }),
  createUser: operation({
    id: 'createUser',
    number: 7,
    method: 'POST',
    path: '/api/v1/users/',
    tag: 'Users',
    summary: 'Create a user',
    auth: 'bearer',
    body: UserCreate,
    response: TokenData,
    refusals: [401, 403, 409, 429, 503],
    sdk: 'users.create',
  }),
  getUser: operation({
    id: 'getUser',
    number: 8,
    method: 'GET',
    path: '/api/v1/users/{username}',
    tag: 'Users',
    summary: 'Read one user',
    auth: 'bearer',
    params: UserPath,
    response: TokenData,
    refusals: [401, 403, 404, 429, 503],
    sdk: 'users.get',
  }),
  updateUser: operation({
    id: 'updateUser',
    number: 9,
    method: 'PUT',
    path: '/api/v1/users/{username}',
    tag: 'Users',
    summary: "Change a user's password or roles",
    description:
      'A change revokes all tokens of the user. Users who are not administrators may change only their own password.',
    auth: 'bearer',
    params: UserPath,
    body: UserUpdate,
    response: TokenData,
    refusals: [401, 403, 404, 409, 429, 503],
    sdk: 'users.update',
  }),
  deleteUser: operation({
    id: 'deleteUser',
    number: 10,
    method: 'DELETE',
    path: '/api/v1/users/{username}',
    tag: 'Users',
    summary: 'Delete a user',
    auth: 'bearer',
    params: UserPath,
    response: Done,
    refusals: [401, 403, 404, 409, 429, 503],
    sdk: 'users.remove',
  }),
  getSignInOptions: operation({
    id: 'getSignInOptions',
    method: 'GET',
    path: '/api/v1/sign_in_options',
    tag: 'Users',
    summary: 'Read how accounts are created and passwords changed here',
    auth: 'none',
    response: SignInOptions,
    refusals: [429, 503],
    sdk: 'users.signInOptions',
  }),
  getMe: operation({
    id: 'getMe',
    number: 11,
    method: 'GET',
    path: '/api/v1/users/me',
    tag: 'Users',
    summary: 'Read the calling user',
    auth: 'bearer',
    response: TokenData,
    refusals: [401, 403, 429, 503],
    sdk: 'users.me',
  }),
}
