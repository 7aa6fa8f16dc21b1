import type { Names } from './names.ts'

export const contract = ({
  operation,
  path,
  module,
  plural,
  item,
  phrase,
}: Names) => `import Type, { type Static } from 'typebox'
import { operation } from './operation.ts'
import { pageFields } from './schema.ts'

export const ${item} = Type.Object({ id: Type.String(), name: Type.String() }, { title: '${item}' })
export type ${item} = Static<typeof ${item}>

export const ${module}Operations = {
  ${operation}: operation({
    id: '${operation}',
    method: 'GET',
    path: '${path}',
    tag: '${plural}',
    summary: 'List the ${phrase}',
    description: 'Ordered by id. A \`Link\` header points to the next page.',
    auth: 'bearer',
    query: Type.Object({ ...pageFields }),
    response: Type.Array(${item}),
    refusals: [401, 403, 429, 503],
    sdk: '${module}.list',
    cli: { columns: ['id', 'name'] },
  }),
}
`

export const index = ({
  module,
  plural,
}: Names) => `export { create${plural}Module } from './${module}.module.ts'
`

export const module = ({ module: name, plural }: Names) => `import type { FastifyInstance } from 'fastify'
import type { Platform } from '../../module.ts'
import { ${name}Routes } from './${name}.routes.ts'
import { ${plural}Service } from './${name}.service.ts'
import { ${plural}Store } from './${name}.store.ts'

export function create${plural}Module({ postgres }: Platform) {
  const ${name} = new ${plural}Service(new ${plural}Store(postgres))
  return { routes: (api: FastifyInstance) => ${name}Routes(api, ${name}) }
}
`

export const routes = ({
  operation,
  module: name,
  plural,
}: Names) => `import { ${name}Operations as operations } from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import { linkNext } from '../../http/paging.ts'
import { serve } from '../../http/serve.ts'
import type { ${plural}Service } from './${name}.service.ts'

export function ${name}Routes(app: FastifyInstance, ${name}: ${plural}Service): void {
  const { ${operation} } = operations

  // The contract has a default for the limit, and validation fills it in.
  serve(app, ${operation}, async ({ query: { limit = Number.NaN, after } }, reply) => {
    const page = await ${name}.page(after, limit)
    if (page.length === limit) linkNext(reply, ${operation}, limit, page.at(-1)?.id)
    return page
  })
}
`

export const service = ({
  module: name,
  plural,
  item,
}: Names) => `import type { ${item}Row, ${plural}Store } from './${name}.store.ts'

export class ${plural}Service {
  readonly #store: ${plural}Store

  constructor(store: ${plural}Store) {
    this.#store = store
  }

  page(after: string | undefined, limit: number): Promise<${item}Row[]> {
    return this.#store.page(after, limit)
  }
}
`

const storeClass = (
  { plural, item }: Names,
  imports: string,
  query: string,
) => `import { ${imports} } from '../../engines/postgres.ts'

export interface ${item}Row {
  id: string
  name: string
}

export class ${plural}Store {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /** One page, ordered by id. It starts after the id \`after\`. */
  async page(after: string | undefined, limit: number): Promise<${item}Row[]> {
${query}
  }
}
`

export const tableStore = (names: Names) =>
  storeClass(
    names,
    'type Postgres',
    `    let rows = this.#postgres.db.selectFrom('${names.module}').select(['id', 'name'])
    if (after !== undefined) rows = rows.where('id', '>', after)
    return rows.orderBy('id').limit(limit).execute()`,
  )

export const store = (names: Names) =>
  storeClass(
    names,
    'type Postgres, sql',
    `    const { rows } = await sql<${names.item}Row>\`
      select id, name from (select null::text as id, null::text as name where false) as none
      where \${after ?? null}::text is null or id > \${after ?? null}
      order by id limit \${limit}
    \`.execute(this.#postgres.db)
    return rows`,
  )

export const migration = ({ module: name }: Names) => `import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql\`
    create table ${name} (
      id text collate "C" primary key,
      name text not null
    );
  \`.execute(db)
}
`

export const test = ({ path, phrase }: Names) => `import { test as it } from '@manc/harness/fixture'
import { expect } from 'vitest'

it('The list of ${phrase} is empty at first.', async ({ environment }) => {
  const { status, body } = await environment.request('GET', '${path}')
  expect([status, body]).toEqual([200, []])
})
`
