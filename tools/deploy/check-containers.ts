import { output } from '../images/run.ts'
import type { ComposeInstallation } from './compose-installation.ts'

interface Inspected {
  Config: { User: string }
  HostConfig: {
    ReadonlyRootfs: boolean
    PortBindings: Record<string, unknown>
    Memory: number
    RestartPolicy: { Name: string }
  }
  NetworkSettings: { Networks: Record<string, unknown> }
  EffectiveCaps: string[] | null
}

const own = ['api', 'subscriber', 'ingester', 'agent']
const services = ['proxy', 'postgres', 'rabbitmq', 'victoria', 'vmalert', 'api', 'subscriber', 'ingester']

/** User, read-only root file system, capabilities and networks, as the containers have them while they run. */
export async function checkContainers(installation: ComposeInstallation): Promise<string> {
  const problems: string[] = []
  for (const service of own) {
    const name = installation.containerOf(service)
    const { HostConfig, EffectiveCaps } = await inspect(name)
    const expect = (what: string, isTrue: boolean) => void (isTrue || problems.push(`${service}: ${what}`))
    expect('is not user 10001', (await inside(name, 'id -u; id -g')) === '10001\n10001')
    expect(
      'can write its root file system',
      (await inside(name, 'touch /app/x || echo refused')) === 'refused',
    )
    expect('cannot write /tmp', (await inside(name, 'touch /tmp/x && echo written')) === 'written')
    expect('root file system is not read-only', HostConfig.ReadonlyRootfs)
    expect('has capabilities', (EffectiveCaps ?? []).length === 0)
    expect('process 1 is no init', /^tini|^catatonit/.test(await inside(name, 'cat /proc/1/comm')))
    await output('podman', ['healthcheck', 'run', name]).catch(() =>
      problems.push(`${service}: is unhealthy`),
    )
  }
  const published: string[] = []
  for (const service of services) {
    const { HostConfig, NetworkSettings } = await inspect(installation.containerOf(service))
    // Ports that an image exposes are listed without a binding.
    const bindings = Object.entries(HostConfig.PortBindings ?? {}).filter(([, bound]) => bound)
    published.push(...bindings.map(([port]) => `${service} ${port}`))
    if (!HostConfig.Memory) problems.push(`${service}: has no memory limit`)
    if (HostConfig.RestartPolicy.Name !== 'always') problems.push(`${service}: is not restarted`)
    const networks = Object.keys(NetworkSettings.Networks).map((name) =>
      name.replace(`${installation.project}_`, ''),
    )
    if (['postgres', 'victoria', 'vmalert', 'ingester'].includes(service) && networks.join() !== 'engines')
      problems.push(`${service}: is on the networks ${networks.join()}`)
  }
  if (published.toSorted().join() !== 'proxy 8443/tcp,rabbitmq 8883/tcp')
    problems.push(`published ports: ${published.join()}`)
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return 'user 10001, read-only root, no capabilities, init process, healthy'
}

/** The rights of the users at PostgreSQL and RabbitMQ. */
export async function checkPrivileges(installation: ComposeInstallation): Promise<Record<string, unknown>> {
  const roles = await output('podman', [
    'exec',
    installation.containerOf('postgres'),
    'psql',
    '-U',
    'postgres',
    '-At',
    '-c',
    `select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls from pg_roles where rolname = 'manc'`,
  ])
  if (roles !== 'f') throw new Error(`The database user manc has more rights than it needs: ${roles}`)
  const users = await rabbitmqctl(installation, 'list_users')
  const permissions = await rabbitmqctl(installation, 'list_permissions')
  const expected = {
    users: 'manc.disconnect [administrator]\nmanc.emulator []\nmanc.server []',
    permitted: 'manc.emulator\nmanc.server',
  }
  const permitted = permissions.map((line) => line.split('\t')[0]).join('\n')
  if (
    users.map((line) => line.replace('\t', ' ')).join('\n') !== expected.users ||
    permitted !== expected.permitted
  )
    throw new Error(`Users of the broker:\n${users.join('\n')}\n${permissions.join('\n')}`)
  return { broker_permissions: permissions.map((line) => line.replaceAll('\t', ' ')) }
}

async function rabbitmqctl(installation: ComposeInstallation, command: string): Promise<string[]> {
  const text = await output('podman', [
    'exec',
    '-u',
    'rabbitmq',
    '-e',
    'HOME=/var/lib/rabbitmq',
    installation.containerOf('rabbitmq'),
    'rabbitmqctl',
    '-q',
    '--no-table-headers',
    command,
  ])
  return text.split('\n').toSorted()
}

async function inspect(name: string): Promise<Inspected> {
  const [inspected] = JSON.parse(await output('podman', ['inspect', name])) as Inspected[]
  if (!inspected) throw new Error(`There is no container ${name}.`)
  return inspected
}

const inside = (name: string, command: string): Promise<string> =>
  output('podman', ['exec', name, 'sh', '-c', command])
