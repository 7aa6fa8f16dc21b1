/** The house rules of docs/architecture.md, held by a machine. */
const server = '^packages/server/src'
const rooms = '(tokens|users|agents|apps|telemetry|updates|jobs|commands|emulator|audit)'

/** A room may import these rooms, through their index.ts, and no others. */
const mayImport = {
  tokens: ['users', 'agents', 'apps', 'audit'],
  users: ['audit'],
  agents: ['jobs', 'audit'],
  apps: ['audit'],
  telemetry: ['agents', 'jobs', 'audit'],
  updates: ['agents', 'telemetry', 'commands', 'audit'],
  commands: ['agents', 'jobs', 'audit'],
  emulator: ['agents', 'jobs', 'audit'],
  jobs: [],
  audit: [],
}

const roomRules = Object.entries(mayImport).map(([room, others]) => ({
  name: `${room}-keeps-to-its-neighbours`,
  comment: `${room} may import ${others.join(', ') || 'no room'}.`,
  severity: 'error',
  from: { path: `${server}/${room}/` },
  to: { path: `${server}/${rooms}/`, pathNot: `${server}/(${[room, ...others].join('|')})/` },
}))

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
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
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
    ...roomRules,
    ...doorRules,
    {
      name: 'rooms-meet-at-the-door',
      comment: 'Another room is reached through its index.ts only.',
      severity: 'error',
      from: { path: `${server}/${rooms}/` },
      to: { path: `${server}/${rooms}/(?!index\\.ts$)`, pathNot: `${server}/$1/` },
    },
    {
      name: 'only-compose-knows-everyone',
      comment: 'Outside of the rooms, only compose/ imports rooms.',
      severity: 'error',
      from: { path: server, pathNot: [`${server}/${rooms}/`, `${server}/compose/`, '\\.test\\.ts$'] },
      to: { path: `${server}/(tokens|users|agents|apps|telemetry|updates|jobs|commands)/` },
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
      to: { path: [`${server}/${rooms}/`, `${server}/http/`] },
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
