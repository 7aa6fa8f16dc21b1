import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { kustomizeResources } from '../render.ts'
import { createCertificates } from './certificates.ts'
import { podman } from './podman.ts'
import type { Secrets } from './secrets.ts'

const imageOf = (engine: string): string => `localhost/manc-test/${engine}:trixie`

export const engineImages = ['postgres', 'rabbitmq', 'victoria'].map(imageOf)

interface RabbitmqSpec {
  rabbitmq: Record<'additionalConfig' | 'advancedConfig' | 'envConfig', string> & {
    additionalPlugins: string[]
  }
}

interface VictoriaSpec {
  retentionPeriod: string
  extraArgs: Record<string, string>
}

/** What the cluster operator adds where `tls` is set (its internal/resource/configmap.go). */
const operatorConfiguration = `ssl_options.certfile = /etc/rabbitmq-tls/tls.crt
ssl_options.keyfile = /etc/rabbitmq-tls/tls.key
mqtt.listeners.ssl.default = 8883
management.tcp.port = 15672
`

interface Options {
  network: string
  folder: string
  secrets: Secrets
}

/**
 * The engines in containers, with the configuration of the resources in engines/small. The operators are not there:
 * this does what they do with the parts that MANC configures. Returns the MQTT port on loopback.
 */
export function startEngines({ network, folder, secrets }: Options): number {
  const resources = kustomizeResources('engines/small')
  const specOf = (kind: string) => resources.find((each) => each.kind === kind)?.['spec']
  const run = (name: string, alias: string, options: string[], image: string, ...args: string[]) =>
    podman([
      'run',
      '-d',
      '--name',
      `${network}-${name}`,
      '--network',
      network,
      '--network-alias',
      alias,
      ...options,
      imageOf(image),
      ...args,
    ])

  const { username, password } = new URL(secrets.get('manc-postgres-app', 'uri'))
  const passwordFile = path.join(folder, 'postgres-password')
  writeFileSync(passwordFile, password, { mode: 0o644 })
  run(
    'postgres',
    'manc-postgres-rw',
    [
      '-v',
      `${passwordFile}:/run/password:ro`,
      '-e',
      `POSTGRES_USER=${username}`,
      '-e',
      'POSTGRES_PASSWORD_FILE=/run/password',
    ],
    'postgres',
    'postgres',
  )

  const { retentionPeriod, extraArgs } = specOf('VMSingle') as VictoriaSpec
  const flags = Object.entries(extraArgs).map(([name, value]) => `-${name}=${value}`)
  run(
    'victoria',
    'vmsingle-manc',
    ['--tmpfs', '/storage'],
    'victoria',
    '-storageDataPath=/storage',
    '-httpListenAddr=:8428',
    `-retentionPeriod=${retentionPeriod}`,
    ...flags,
  )

  const { rabbitmq } = specOf('RabbitmqCluster') as RabbitmqSpec
  const plugins = [...rabbitmq.additionalPlugins, 'rabbitmq_management', 'rabbitmq_prometheus']
  const definitions = resources.find(({ metadata }) => metadata.name === 'manc-rabbitmq-definitions')?.[
    'data'
  ]
  const tls = path.join(folder, 'tls')
  mkdirSync(tls)
  createCertificates(tls)
  const files: Record<string, string> = {
    '/etc/rabbitmq/conf.d/90-userDefinedConfiguration.conf':
      operatorConfiguration + rabbitmq.additionalConfig,
    '/etc/rabbitmq/advanced.config': rabbitmq.advancedConfig,
    '/etc/rabbitmq/rabbitmq-env.conf': rabbitmq.envConfig,
    '/etc/rabbitmq/enabled_plugins': `[${plugins.join(',')}].\n`,
    '/etc/rabbitmq/definitions/01-definitions.json':
      (definitions as Record<string, string>)['definitions.json'] ?? '',
    '/etc/rabbitmq/definitions/02-users.json': secrets.get('manc-rabbitmq-users', 'users.json'),
  }
  const mounts = Object.entries(files).flatMap(([target, text]) => {
    const file = path.join(folder, path.basename(target))
    writeFileSync(file, text)
    return ['-v', `${file}:${target}:ro`]
  })
  chmodSync(folder, 0o755)
  run(
    'rabbitmq',
    'manc-rabbitmq',
    [
      '--hostname',
      'rabbitmq',
      '-p',
      '127.0.0.1::8883',
      '-v',
      `${tls}:/etc/rabbitmq-tls:ro`,
      '-e',
      `MANC_BROKER_SECRET=${secrets.get('manc', 'broker-secret')}`,
      ...mounts,
    ],
    'rabbitmq',
    'rabbitmq-server',
  )
  return Number(
    podman(['port', `${network}-rabbitmq`, '8883'])
      .split(':')
      .at(-1),
  )
}
