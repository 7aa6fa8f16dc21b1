import type { Body, Field, Operation, Output, Parameter, Shape } from './shape.ts'
import { page, statusAndDetail } from './table-shared.ts'

// Lengths of passwords and of a role: decisions ("User passwords: 8 to 256 characters", "role string (1 to 64)").
const username: Field = { name: 'username', type: 'string', format: 'email', required: true }
const chosenPassword: Shape = { type: 'string', minLength: 8, maxLength: 256 }
/** Replies join roles with `,`: none may hold one, nor a control character; decided beyond the interface. */
const role: Shape = { type: 'string', minLength: 1, maxLength: 64, pattern: '^[^,\\u0000-\\u001f\\u007f]*$' }
const roles: Shape = { type: 'array', items: role, maxItems: 32 }

const tokenData: Output = {
  from: 'interface',
  type: 'object',
  fields: [
    { name: 'username', type: 'string', required: false, nullable: true },
    { name: 'roles', type: 'string', required: true },
    { name: 'scopes', type: 'array', items: { type: 'string' }, required: false, default: [] },
  ],
}

const userCreate: Body = {
  kind: 'json',
  type: 'object',
  fields: [
    username,
    { name: 'password', ...chosenPassword, required: true },
    { name: 'roles', ...roles, required: true },
  ],
}

const userRegister: Body = {
  kind: 'json',
  type: 'object',
  fields: [username, { name: 'password', ...chosenPassword, required: true }],
}

const userUpdate: Body = {
  kind: 'json',
  type: 'object',
  fields: [
    { name: 'password', ...chosenPassword, required: false, nullable: true },
    { name: 'roles', ...roles, required: false, nullable: true },
  ],
}

const passwordRecoveryRequest: Body = { kind: 'json', type: 'object', fields: [username] }

const passwordReset: Body = {
  kind: 'json',
  type: 'object',
  fields: [
    { name: 'token', type: 'string', required: true },
    { name: 'new_password', ...chosenPassword, required: true },
  ],
}

const loginForm: Body = {
  kind: 'form',
  type: 'object',
  fields: [
    { name: 'grant_type', type: 'string', pattern: 'password', required: false, nullable: true },
    { name: 'username', type: 'string', required: true },
    { name: 'password', type: 'string', required: true },
    { name: 'scope', type: 'string', required: false, default: '' },
    { name: 'client_id', type: 'string', required: false, nullable: true },
    { name: 'client_secret', type: 'string', required: false, nullable: true },
  ],
}

const token: Output = {
  from: 'interface',
  type: 'object',
  fields: [
    { name: 'access_token', type: 'string', required: true },
    { name: 'token_type', type: 'string', required: true },
    { name: 'expires_in', type: 'integer', required: true },
  ],
}

const loginType: Parameter = {
  in: 'query',
  name: 'login_type',
  type: 'string',
  required: true,
  enum: ['user', 'agent', 'third_party_app'],
}

const usernameInPath: Parameter = { in: 'path', name: 'username', type: 'string', required: true }

export const tokenAndUsers: Operation[] = [
  {
    number: 1,
    method: 'POST',
    path: '/api/v1/token/',
    auth: 'none',
    parameters: [loginType],
    body: loginForm,
    output: token,
  },
  {
    number: 2,
    method: 'POST',
    path: '/api/v1/users/public',
    auth: 'bearer',
    authFrom: 'decision',
    body: userCreate,
    output: tokenData,
  },
  {
    number: 3,
    method: 'POST',
    path: '/api/v1/users/signup',
    auth: 'none',
    body: userRegister,
    output: tokenData,
  },
  {
    number: 4,
    method: 'POST',
    path: '/api/v1/users/password-recovery',
    auth: 'none',
    body: passwordRecoveryRequest,
    output: statusAndDetail,
  },
  {
    number: 5,
    method: 'POST',
    path: '/api/v1/users/reset-password',
    auth: 'none',
    body: passwordReset,
    output: statusAndDetail,
  },
  {
    number: 6,
    method: 'GET',
    path: '/api/v1/users/',
    auth: 'bearer',
    parameters: page,
    output: { from: 'interface', type: 'array', items: tokenData },
  },
  { number: 7, method: 'POST', path: '/api/v1/users/', auth: 'bearer', body: userCreate, output: tokenData },
  {
    number: 8,
    method: 'GET',
    path: '/api/v1/users/{username}',
    auth: 'bearer',
    parameters: [usernameInPath],
    output: tokenData,
  },
  {
    number: 9,
    method: 'PUT',
    path: '/api/v1/users/{username}',
    auth: 'bearer',
    parameters: [usernameInPath],
    body: userUpdate,
    output: tokenData,
  },
  {
    number: 10,
    method: 'DELETE',
    path: '/api/v1/users/{username}',
    auth: 'bearer',
    parameters: [usernameInPath],
    output: statusAndDetail,
  },
  { number: 11, method: 'GET', path: '/api/v1/users/me', auth: 'bearer', output: tokenData },
]
