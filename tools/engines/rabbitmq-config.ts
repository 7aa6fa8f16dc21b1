import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Programs } from './programs.ts'
import type { SetState } from './state.ts'

/** What operators copy is what runs here: only addresses and the user are this set's own. */
const shipped = (file: string) =>
  readFileSync(join(import.meta.dirname, '../../deploy/rabbitmq', file), 'utf8')

export const enabledPlugins = () => shipped('enabled_plugins')
export const advancedConfig = () => shipped('advanced.config')
export const environmentFile = () => shipped('rabbitmq-env.conf')

function settingsOf(conf: string): Map<string, string> {
  const lines = conf.split('\n').filter((line) => line.includes(' = ') && !line.startsWith('#'))
  return new Map(lines.map((line) => line.split(' = ', 2) as [string, string]))
}

interface Files {
  readonly ca: string
  readonly cert: string
  readonly key: string
}

/** Settings that RabbitMQ 3.10 refuses to start with. */
const newSettings = [
  'mqtt.max_packet_size_unauthenticated',
  'mqtt.max_packet_size_authenticated',
  'message_interceptors.incoming.set_header_timestamp.overwrite',
]

export function rabbitmqConf(
  { ports, tls }: SetState,
  { rabbitmqMajor }: Programs,
  files: Files,
  more: Record<string, string | number>,
): string {
  const settings = settingsOf(shipped('rabbitmq.conf'))
  settings.delete('load_definitions')
  if (rabbitmqMajor < 4) for (const name of newSettings) settings.delete(name)
  for (const [name, value] of settings)
    settings.set(name, value.replace('//127.0.0.1:8081/', `//127.0.0.1:${ports.internal}/`))
  const own = {
    'listeners.tcp.default': `127.0.0.1:${ports.amqp}`,
    'mqtt.listeners.tcp.default': `127.0.0.1:${ports.mqtt}`,
    'management.tcp.ip': '127.0.0.1',
    'management.tcp.port': ports.management,
    'prometheus.tcp.ip': '127.0.0.1',
    'prometheus.tcp.port': ports.prometheus,
    'disk_free_limit.absolute': '50MB',
    ...more,
    ...(tls && {
      ...shippedTls(),
      'listeners.ssl.default': `127.0.0.1:${ports.amqps}`,
      'mqtt.listeners.ssl.default': `127.0.0.1:${ports.mqtts}`,
      'ssl_options.cacertfile': files.ca,
      'ssl_options.certfile': files.cert,
      'ssl_options.keyfile': files.key,
      'ssl_options.verify': tls.requireClientCertificate ? 'verify_peer' : 'verify_none',
      'ssl_options.fail_if_no_peer_cert': tls.requireClientCertificate,
    }),
  }
  for (const [name, value] of Object.entries(own)) settings.set(name, String(value))
  return [...settings].map(([name, value]) => `${name} = ${value}\n`).join('')
}

/** The versions and cipher suites of `listeners.conf`; the listeners and files are this set's own. */
const shippedTls = () =>
  Object.fromEntries(
    [...settingsOf(shipped('listeners.conf'))].filter(([name]) =>
      /^ssl_options\.(versions|ciphers|honor)/.test(name),
    ),
  )

/** The broker's own format: base64 of a four-byte salt and the SHA-256 of salt and password. */
function passwordHash(password: string): string {
  const salt = randomBytes(4)
  const digest = createHash('sha256').update(salt).update(password, 'utf8').digest()
  return Buffer.concat([salt, digest]).toString('base64')
}

/** Read at every start, before the first listener opens. With definitions given, the broker makes no `guest`. */
export function definitions({ passwords }: SetState, { rabbitmqMajor }: Programs): object {
  const { policies, ...topology } = JSON.parse(shipped('definitions.json')) as { policies: object[] }
  return {
    ...topology,
    // RabbitMQ 3 has no delivery limit by default, and rejects the policy that removes it.
    policies: rabbitmqMajor < 4 ? [] : policies,
    users: [
      {
        name: 'manc',
        password_hash: passwordHash(passwords.rabbitmq),
        hashing_algorithm: 'rabbit_password_hashing_sha256',
        tags: 'administrator',
      },
    ],
    permissions: [{ user: 'manc', vhost: '/', configure: '.*', write: '.*', read: '.*' }],
  }
}
