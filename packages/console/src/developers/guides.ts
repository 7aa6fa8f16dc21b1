/** Documents of the repository that are part of the console. Each is loaded when it is opened. */
const texts = import.meta.glob<string>(
  '../../../../docs/{apps,clients,devices,sdk,prometheus,cli,kpis,flows/jobs,flows/commands}.md',
  { query: '?raw', import: 'default' },
)

export interface Guide {
  /** In the address. */
  id: string
  title: string
  /** In the repository. */
  path: string
  about: string
}

export const guides: readonly Guide[] = [
  {
    id: 'apps',
    title: 'Write an application',
    path: 'docs/apps.md',
    about: 'Log in, request data, read results, subscribe, send commands',
  },
  {
    id: 'agents',
    title: 'Write an agent',
    path: 'docs/devices.md',
    about: 'HTTP, MQTT, commands, metric names',
  },
  {
    id: 'sdk',
    title: 'Use the SDK',
    path: 'docs/sdk.md',
    about: 'Every operation as a method, in Node.js and in browsers',
  },
  {
    id: 'cli',
    title: 'Use the command line',
    path: 'docs/cli.md',
    about: 'Every operation as a command, live views, scripts',
  },
  {
    id: 'grafana',
    title: 'Use Grafana',
    path: 'docs/prometheus.md',
    about: 'Data source, promtool, curl, Python, limits',
  },
  { id: 'kpis', title: 'KPIs and health', path: 'docs/kpis.md', about: 'Names, units, thresholds, rules' },
  {
    id: 'clients',
    title: 'Clients',
    path: 'docs/clients.md',
    about: 'Read where clients are attached, steer and report them',
  },
  {
    id: 'jobs',
    title: 'Jobs',
    path: 'docs/flows/jobs.md',
    about: 'States, guarantees, behaviour after an outage',
  },
  {
    id: 'commands',
    title: 'Commands',
    path: 'docs/flows/commands.md',
    about: 'States, priorities, timeouts, results',
  },
]

export const guideOf = (id: unknown): Guide | undefined => guides.find((guide) => guide.id === id)

export async function readGuide({ path }: Guide): Promise<string> {
  const load = texts[`../../../../${path}`]
  if (!load) throw new Error(`The console was built without ${path}. Read it in the repository.`)
  return load()
}
