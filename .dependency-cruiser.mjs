/** The structure rules of docs/architecture.md. Modules are read from their folder, so that no list can go stale. */
const server = '^packages/server/src'
const modules = `${server}/modules`

/** Library → the adapter in engines/ that alone imports it. */
const adapters = {
  pg: 'postgres',
  kysely: 'postgres',
  amqplib: 'rabbitmq',
  nodemailer: 'mail',
}

const adapterRules = Object.entries(adapters).map(([library, adapter]) => ({
  name: `one-adapter-for-${library}`,
  comment: `Only engines/${adapter} imports ${library}.`,
  severity: 'error',
  from: { path: server, pathNot: `${server}/engines/${adapter}` },
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
        // Tests are not followed here, so code that only tests import looks unused; knip checks that.
        pathNot: [
          '\\.(config|sequencer)\\.ts$',
          '\\.d\\.ts$',
          '^packages/server/migrations/',
          '^packages/[^/]+/test/',
          '-texts\\.ts$',
          '/compress\\.ts$',
          // Used by bundlers for browsers, by a condition in package.json.
          '\\.browser\\.ts$',
        ],
      },
      to: {},
    },
    ...adapterRules,
    {
      name: 'one-adapter-for-opentelemetry',
      comment:
        'Only tracing.otlp.ts imports OpenTelemetry, and only tracing.ts imports that file, where tracing is on.',
      severity: 'error',
      from: { path: server, pathNot: `${server}/tracing\\.(otlp\\.)?ts$` },
      to: { path: ['node_modules/@opentelemetry/', `${server}/tracing\\.otlp\\.ts$`] },
    },
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
      name: 'services-and-stores-without-http',
      comment: 'Services and stores import neither Fastify nor http/ nor a route, consumer or module file.',
      severity: 'error',
      from: { path: `${modules}/.*\\.(service|store|rules)\\.ts$` },
      to: { path: ['node_modules/@?fastify', `${server}/http/`, '\\.(routes|consumer|module)\\.ts$'] },
    },
    {
      name: 'stores-below-services',
      comment: 'A store imports no service: services call stores.',
      severity: 'error',
      from: { path: `${modules}/.*\\.store\\.ts$` },
      to: { path: '\\.service\\.ts$' },
    },
    {
      name: 'engines-below-modules',
      comment: 'Adapters in engines/ import neither modules nor http/.',
      severity: 'error',
      from: { path: `${server}/engines/` },
      to: { path: [`${modules}/`, `${server}/http/`, `${server}/compose/`] },
    },
    {
      name: 'http-below-modules',
      comment: 'The HTTP layer imports neither modules nor compose/.',
      severity: 'error',
      from: { path: `${server}/http/`, pathNot: '\\.test\\.ts$' },
      to: { path: [`${modules}/`, `${server}/compose/`] },
    },
    {
      name: 'migrations-are-frozen',
      comment: 'A migration imports no code that may change after it: copy what it needs.',
      severity: 'error',
      from: { path: '^packages/server/migrations/' },
      to: { pathNot: ['node_modules/kysely/'] },
    },
    {
      name: 'contract-is-pure',
      comment: 'The contract imports TypeBox and itself, nothing else.',
      severity: 'error',
      from: { path: '^packages/contract/src', pathNot: '\\.test\\.ts$' },
      to: { pathNot: ['^packages/contract/src', 'node_modules/typebox'] },
    },
    {
      name: 'no-package-imports-the-server',
      comment: 'Except the test harness and suites, which start it in their own process.',
      severity: 'error',
      from: { path: '^packages/(?!(server|harness)/|[^/]+/test/)' },
      to: { path: '^packages/server/' },
    },
    {
      name: 'only-suites-import-the-harness',
      severity: 'error',
      from: { path: '^(packages/(?!harness/)[^/]+/(?!test/)|tools/)' },
      to: { path: '^packages/harness/' },
    },
    {
      name: 'only-config-reads-the-environment',
      comment: 'main.ts passes the environment to config.ts.',
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
