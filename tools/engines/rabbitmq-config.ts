import { createHash, randomBytes } from 'node:crypto'
import type { SetState } from './state.ts'

const PLUGINS = [
  'rabbitmq_mqtt',
  'rabbitmq_auth_backend_http',
  'rabbitmq_auth_backend_cache',
  'rabbitmq_management',
  'rabbitmq_prometheus',
  'rabbitmq_consistent_hash_exchange',
]

export function enabledPlugins(): string {
  return `[${PLUGINS.join(',')}].\n`
}

export function rabbitmqConf({ ports }: SetState, definitionsFile: string): string {
  return `${[
    `listeners.tcp.default = 127.0.0.1:${ports.amqp}`,
    `mqtt.listeners.tcp.default = 127.0.0.1:${ports.mqtt}`,
    'mqtt.allow_anonymous = false',
    'mqtt.vhost = /',
    'management.tcp.ip = 127.0.0.1',
    `management.tcp.port = ${ports.management}`,
    'prometheus.tcp.ip = 127.0.0.1',
    `prometheus.tcp.port = ${ports.prometheus}`,
    'max_message_size = 1048576',
    'auth_backends.1 = internal',
    'loopback_users = none',
    'disk_free_limit.absolute = 50MB',
    `load_definitions = ${definitionsFile}`,
  ].join('\n')}\n`
}

/** Without it a MAC address as user name is split at its colons into virtual host and user. */
export function advancedConfig(): string {
  return '[{rabbitmq_mqtt, [{ignore_colons_in_username, true}]}].\n'
}

/** The broker's own format: base64 of a four-byte salt and the SHA-256 of salt and password. */
function passwordHash(password: string): string {
  const salt = randomBytes(4)
  const digest = createHash('sha256').update(salt).update(password, 'utf8').digest()
  return Buffer.concat([salt, digest]).toString('base64')
}

/** Read at every start, before the first listener opens. Naming a user here also keeps `guest` from being made. */
export function definitions({ passwords }: SetState): object {
  return {
    users: [
      {
        name: 'manc',
        password_hash: passwordHash(passwords.rabbitmq),
        hashing_algorithm: 'rabbit_password_hashing_sha256',
        tags: 'administrator',
      },
    ],
    vhosts: [{ name: '/' }],
    permissions: [{ user: 'manc', vhost: '/', configure: '.*', write: '.*', read: '.*' }],
    topic_permissions: [],
    exchanges: [],
    queues: [],
    bindings: [],
    policies: [],
    parameters: [],
  }
}
