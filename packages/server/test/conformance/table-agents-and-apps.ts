import type { Body, Field, Operation, Output, Parameter, Shape } from './shape.ts'
import { agentFields, statusAndDetail } from './table-shared.ts'

// Patterns of the two names and the lengths of their secrets: decisions ("Names and identifiers", "Tokens and login").
const chosenSecret: Shape = { type: 'string', minLength: 1, maxLength: 256 }

const newApId: Field = {
  name: 'ap_id',
  type: 'string',
  pattern: '^[A-Za-z0-9][A-Za-z0-9_:-]{0,63}$',
  required: true,
}

const newAppName: Field = {
  name: 'app_name',
  type: 'string',
  pattern: '^[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}$',
  required: true,
}

const agent: Output = { from: 'interface', type: 'object', fields: agentFields }

const agentCreate: Body = {
  kind: 'json',
  type: 'object',
  fields: [
    newApId,
    { name: 'password', ...chosenSecret, required: true },
    { name: 'configuration', type: 'object', required: true },
  ],
}

const agentUpdate: Body = {
  kind: 'json',
  type: 'object',
  fields: [
    { name: 'password', ...chosenSecret, required: false, nullable: true },
    { name: 'configuration', type: 'object', required: false, nullable: true },
  ],
}

const thirdPartyApp: Output = {
  from: 'interface',
  type: 'object',
  fields: [
    { name: 'id', type: 'string', format: 'uuid', required: true },
    { name: 'app_name', type: 'string', required: true },
    { name: 'api_key', type: 'string', required: true },
    { name: 'permissions', type: 'object', required: true },
  ],
}

const thirdPartyAppCreate: Body = {
  kind: 'json',
  type: 'object',
  fields: [
    newAppName,
    { name: 'api_key', ...chosenSecret, required: true },
    { name: 'permissions', type: 'object', required: true },
  ],
}

const thirdPartyAppUpdate: Body = {
  kind: 'json',
  type: 'object',
  fields: [
    { name: 'api_key', ...chosenSecret, required: false, nullable: true },
    { name: 'permissions', type: 'object', required: false, nullable: true },
  ],
}

const apIdInPath: Parameter = { in: 'path', name: 'ap_id', type: 'string', required: true }
const appNameInPath: Parameter = { in: 'path', name: 'app_name', type: 'string', required: true }

export const agents: Operation[] = [
  {
    number: 12,
    method: 'POST',
    path: '/api/v1/agents/public',
    auth: 'bearer',
    authFrom: 'decision',
    body: agentCreate,
    output: agent,
  },
  { number: 13, method: 'POST', path: '/api/v1/agents/', auth: 'bearer', body: agentCreate, output: agent },
  {
    number: 14,
    method: 'GET',
    path: '/api/v1/agents/{ap_id}',
    auth: 'bearer',
    parameters: [apIdInPath],
    output: agent,
  },
  {
    number: 15,
    method: 'PUT',
    path: '/api/v1/agents/{ap_id}',
    auth: 'bearer',
    parameters: [apIdInPath],
    body: agentUpdate,
    output: agent,
  },
  {
    number: 16,
    method: 'DELETE',
    path: '/api/v1/agents/{ap_id}',
    auth: 'bearer',
    parameters: [apIdInPath],
    output: statusAndDetail,
  },
]

export const apps: Operation[] = [
  {
    number: 17,
    method: 'POST',
    path: '/api/v1/third_party_apps/',
    auth: 'bearer',
    body: thirdPartyAppCreate,
    output: thirdPartyApp,
  },
  {
    number: 18,
    method: 'GET',
    path: '/api/v1/third_party_apps/{app_name}',
    auth: 'bearer',
    parameters: [appNameInPath],
    output: thirdPartyApp,
  },
  {
    number: 19,
    method: 'PUT',
    path: '/api/v1/third_party_apps/{app_name}',
    auth: 'bearer',
    parameters: [appNameInPath],
    body: thirdPartyAppUpdate,
    output: thirdPartyApp,
  },
  {
    number: 20,
    method: 'DELETE',
    path: '/api/v1/third_party_apps/{app_name}',
    auth: 'bearer',
    parameters: [appNameInPath],
    output: statusAndDetail,
  },
]
