/** The structure rules of docs/architecture.md. Modules are read from their folder, so that no list can go stale. */
const server = '^packages/server/src'
const modules = `${server}/modules`

const doors = {
  pg: 'postgres',
  kysely: 'postgres',
  amqplib: 'rabbitmq',
  nodemailer: 'mail',
}

const doorRules = Object.entries(doors).map(([library, door]) => ({
  name: `one-door-to-${library}`,
  comment: `Only engines/${door}.ts imports ${library}.`,
  severity: 'error',
  from: { path: server, pathNot: `${server}/engines/${door}` },
  to: { path: `node_modules/${library}/` },
}))

export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-cycles-between-modules',
      comment: 'Modules depend on each other in one direction.',
      scope: 'folder',
      severity: 'error',
      from: { path: `${modules}/` },
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: {
        orphan: true,
        // Tests are left out, so what only they use looks unused here; knip knows better.
        pathNot: [
          '\\.config\\.ts$',
          '\\.d\\.ts$',
          '^packages/server/(migrations|test)/',
          '-texts\\.ts$',
          '/compress\\.ts$',
        ],
      },
      to: {},
    },
    ...doorRules,
    {
      name: 'modules-are-imported-by-index',
      comment: 'Another module is imported through its index.ts only.',
      severity: 'error',
      from: { path: `${modules}/([^/]+)/` },
      to: { path: `${modules}/[^/]+/(?!index\\.ts$)`, pathNot: `${modules}/$1/` },
    },
    {
      name: 'only-compose-imports-modules',
      comment: 'Outside of the modules, only compose/ imports modules.',
      severity: 'error',
      from: { path: server, pathNot: [`${modules}/`, `${server}/compose/`, '\\.test\\.ts$'] },
      to: { path: `${modules}/` },
    },
    {
      name: 'services-know-no-http',
      comment: 'Rules know neither Fastify nor routes.',
      severity: 'error',
      from: { path: `${server}/.*\\.(service|store)\\.ts$` },
      to: { path: ['node_modules/fastify', `${server}/http/`, '\\.(routes|consumer)\\.ts$'] },
    },
    {
      name: 'stores-look-down-only',
      severity: 'error',
      from: { path: `${server}/.*\\.store\\.ts$` },
      to: { path: '\\.service\\.ts$' },
    },
    {
      name: 'engines-know-no-room',
      severity: 'error',
      from: { path: `${server}/engines/` },
      to: { path: [`${modules}/`, `${server}/http/`] },
    },
    {
      name: 'contract-is-pure',
      comment: 'The contract imports TypeBox and itself, nothing else.',
      severity: 'error',
      from: { path: '^packages/contract/src', pathNot: '\\.test\\.ts$' },
      to: { pathNot: ['^packages/contract/src', 'node_modules/typebox'] },
    },
    {
      name: 'nobody-imports-the-server',
      severity: 'error',
      from: { path: '^packages/(?!server/)' },
      to: { path: '^packages/server/' },
    },
    {
      name: 'only-config-reads-the-environment',
      comment: 'main.ts hands the environment to config.ts.',
      severity: 'error',
      from: { path: server, pathNot: [`${server}/config\\.ts$`] },
      to: { path: 'node_modules/env-schema' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'types'] },
    exclude: { path: ['\\.test\\.ts$', '/dist/'] },
  },
}
