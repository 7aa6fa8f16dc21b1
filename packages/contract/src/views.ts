import Type, { type Static } from 'typebox'
import { agentStates, emulatedChoices } from './fleet.ts'
import { healths } from './health.ts'
import { operation } from './operation.ts'
import { Done, oneOf, pageFields, storable } from './schema.ts'
import { sortOrders, tableColumns, tableSorts } from './table-columns.ts'
import { technologies } from './technologies.ts'

const filters = Type.Object(
  {
    technology: Type.Optional(Type.Array(oneOf(technologies), { maxItems: technologies.length })),
    state: Type.Optional(Type.Array(oneOf(agentStates), { maxItems: agentStates.length })),
    health: Type.Optional(Type.Array(oneOf(healths), { maxItems: healths.length })),
    q: Type.Optional(
      Type.String({ maxLength: 128, pattern: storable, description: 'Part of the id or name.' }),
    ),
    emulated: Type.Optional(oneOf(emulatedChoices)),
  },
  { title: 'ViewFilters', description: 'As the query parameters of the table of agents.' },
)

const members = {
  name: Type.String({ minLength: 1, maxLength: 80, pattern: storable }),
  columns: Type.Array(oneOf(tableColumns), {
    minItems: 1,
    maxItems: tableColumns.length,
    description: 'Columns of the table, in this order.',
  }),
}

export const ViewCreate = Type.Object(
  {
    ...members,
    shared: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether all users can see and use it.' }),
    ),
    sort: Type.Optional(oneOf(tableSorts, 'The default is `health`.')),
    order: Type.Optional(oneOf(sortOrders, 'The default is `asc`.')),
    filters: Type.Optional(filters),
  },
  { title: 'ViewCreate' },
)
export type ViewCreate = Static<typeof ViewCreate>

export const View = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    ...members,
    shared: Type.Boolean(),
    sort: oneOf(tableSorts),
    order: oneOf(sortOrders),
    filters,
    created_by: Type.String({ description: 'Username of the owner.' }),
    is_own: Type.Boolean({ description: 'Whether you are the owner.' }),
    updated_at: Type.String({ format: 'date-time' }),
  },
  { title: 'View' },
)
export type View = Static<typeof View>

const ViewPath = Type.Object({ id: Type.String({ maxLength: 64 }) })

export const viewOperations = {
  listViews: operation({
    id: 'listViews',
    method: 'GET',
    path: '/api/v1/views',
    tag: 'Views',
    summary: 'List your views of the table of agents, and those that others share',
    description: 'Newest first. A `Link` header points to the next page.',
    auth: 'bearer',
    query: Type.Object({ ...pageFields }),
    response: Type.Array(View),
    refusals: [401, 403, 429, 503],
    sdk: 'views.list',
    cli: { columns: ['id', 'name', 'shared', 'created_by', 'sort', 'order', 'filters', 'updated_at'] },
  }),
  getView: operation({
    id: 'getView',
    method: 'GET',
    path: '/api/v1/views/{id}',
    tag: 'Views',
    summary: 'Get a view',
    description: 'Your own, or one that is shared.',
    auth: 'bearer',
    params: ViewPath,
    response: View,
    refusals: [401, 403, 404, 429, 503],
    sdk: 'views.get',
  }),
  createView: operation({
    id: 'createView',
    method: 'POST',
    path: '/api/v1/views',
    tag: 'Views',
    summary: 'Save a view of the table of agents',
    description: 'Columns, sort order and filters. The number of views of a user is limited.',
    auth: 'bearer',
    body: ViewCreate,
    response: View,
    refusals: [401, 403, 409, 429, 503],
    sdk: 'views.create',
  }),
  updateView: operation({
    id: 'updateView',
    method: 'PUT',
    path: '/api/v1/views/{id}',
    tag: 'Views',
    summary: 'Replace a view',
    description: 'Only by its owner.',
    auth: 'bearer',
    params: ViewPath,
    body: ViewCreate,
    response: View,
    refusals: [401, 403, 404, 429, 503],
    sdk: 'views.update',
  }),
  deleteView: operation({
    id: 'deleteView',
    method: 'DELETE',
    path: '/api/v1/views/{id}',
    tag: 'Views',
    summary: 'Delete a view',
    description: 'By its owner; a shared one also by an administrator.',
    auth: 'bearer',
    params: ViewPath,
    response: Done,
    refusals: [401, 403, 404, 429, 503],
    sdk: 'views.remove',
  }),
}
