import Type, { type Static } from 'typebox'
import { operation } from './operation.ts'
import { Done, FreeForm, Nullable, oneOf, Page } from './schema.ts'

const ApiKey = Type.String({ minLength: 1, maxLength: 256 })
const Permissions = FreeForm({
  'x-max-bytes': 65_536,
  description:
    'Recognised: `scopes` (exactly these), a scope or an operation with true or false, `agents` (`ap_id` globs, or true for all agents), `priority` (integer), `sandbox` (true: of these agents only emulated ones; change it to false to promote the app). Scopes of an app whose permissions name none, such as `{}`: `agents:read`, `metrics:read`, `history:read`, `commands:send` and `emulator:spinup`; with `MANC_APP_DEFAULT=none` none. Without `agents` it has access to all agents. One of these members with a value that cannot be understood is 422. Other members are stored and ignored; a `Warning` header of the response names them.',
})

export const ThirdPartyApp = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    app_name: Type.String(),
    api_key: Type.String(),
    permissions: Permissions,
  },
  { title: 'ThirdPartyApp' },
)
export type ThirdPartyApp = Static<typeof ThirdPartyApp>

export const appStates = ['sandbox', 'production'] as const
export type AppState = (typeof appStates)[number]

/** An app in a list, without its key. */
export const ListedApp = Type.Object(
  {
    ...Type.Omit(ThirdPartyApp, ['api_key']).properties,
    scopes: Type.Array(Type.String(), { description: 'The scopes that its permissions result in.' }),
    state: oneOf(appStates, '`sandbox`: its permissions restrict it to emulated agents.'),
  },
  { title: 'ListedApp' },
)
export type ListedApp = Static<typeof ListedApp>

export const ThirdPartyAppCreate = Type.Object(
  {
    app_name: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}$' }),
    api_key: ApiKey,
    permissions: Permissions,
  },
  { title: 'ThirdPartyAppCreate' },
)
export type ThirdPartyAppCreate = Static<typeof ThirdPartyAppCreate>

export const ThirdPartyAppUpdate = Type.Object(
  { api_key: Type.Optional(Nullable(ApiKey)), permissions: Type.Optional(Nullable(Permissions)) },
  {
    title: 'ThirdPartyAppUpdate',
    description: 'Absent and null mean unchanged; `permissions` is replaced as a whole.',
  },
)
export type ThirdPartyAppUpdate = Static<typeof ThirdPartyAppUpdate>

const AppPath = Type.Object({ app_name: Type.String() })

export const appOperations = {
  createApp: operation({
    id: 'createApp',
    number: 17,
    method: 'POST',
    path: '/api/v1/third_party_apps/',
    tag: 'Third-party applications',
    summary: 'Register a third-party application',
    auth: 'bearer',
    body: ThirdPartyAppCreate,
    response: ThirdPartyApp,
    refusals: [401, 403, 409, 429, 503],
    sdk: 'apps.register',
  }),
  listApps: operation({
    id: 'listApps',
    method: 'GET',
    path: '/api/v1/third_party_apps/',
    tag: 'Third-party applications',
    summary: 'List all third-party applications, without their keys',
    auth: 'bearer',
    query: Page,
    response: Type.Array(ListedApp),
    refusals: [401, 403, 429, 503],
    sdk: 'apps.list',
    cli: { columns: ['app_name', 'state', 'id', 'permissions'] },
  }),
  getApp: operation({
    id: 'getApp',
    number: 18,
    method: 'GET',
    path: '/api/v1/third_party_apps/{app_name}',
    tag: 'Third-party applications',
    summary: 'Read one third-party application',
    description:
      'An application reads its own record with its key masked. A read of the key by an administrator is recorded in the audit log.',
    auth: 'bearer',
    params: AppPath,
    response: ThirdPartyApp,
    refusals: [401, 403, 404, 429, 503],
    sdk: 'apps.get',
  }),
  updateApp: operation({
    id: 'updateApp',
    number: 19,
    method: 'PUT',
    path: '/api/v1/third_party_apps/{app_name}',
    tag: 'Third-party applications',
    summary: "Change an application's key or permissions",
    description: 'A change revokes all tokens of the application.',
    auth: 'bearer',
    params: AppPath,
    body: ThirdPartyAppUpdate,
    response: ThirdPartyApp,
    refusals: [401, 403, 404, 409, 429, 503],
    sdk: 'apps.update',
  }),
  deleteApp: operation({
    id: 'deleteApp',
    number: 20,
    method: 'DELETE',
    path: '/api/v1/third_party_apps/{app_name}',
    tag: 'Third-party applications',
    summary: 'Delete a third-party application',
    auth: 'bearer',
    params: AppPath,
    response: Done,
    refusals: [401, 403, 404, 429, 503],
    sdk: 'apps.remove',
  }),
}
