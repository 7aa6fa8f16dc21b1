import { readFileSync } from 'node:fs'
import path from 'node:path'
import { stringify } from 'yaml'

const source = (name: string): string =>
  readFileSync(path.join(import.meta.dirname, '../../deploy/rabbitmq', name), 'utf8')

// The operator always enables these two.
const operatorPlugins = ['rabbitmq_management', 'rabbitmq_prometheus']

export const definitions = (): string => source('definitions.json')

/** The RabbitmqCluster with the configuration of deploy/rabbitmq. */
export function rabbitmqCluster(): string {
  const resource = {
    apiVersion: 'rabbitmq.com/v1beta1',
    kind: 'RabbitmqCluster',
    metadata: { name: 'manc-rabbitmq' },
    spec: {
      image: 'rabbitmq:4.0.5-management',
      replicas: 1,
      persistence: { storage: '20Gi' },
      resources: { requests: { cpu: '500m', memory: '2Gi' }, limits: { memory: '2Gi' } },
      // Adds the listener for MQTT over TLS at 8883.
      tls: { secretName: 'manc-mqtt-tls' },
      rabbitmq: {
        additionalPlugins: plugins().filter((name) => !operatorPlugins.includes(name)),
        additionalConfig: configuration(),
        advancedConfig: source('advanced.config'),
        envConfig: source('rabbitmq-env.conf'),
      },
      override: {
        statefulSet: {
          spec: {
            template: {
              spec: {
                containers: [
                  {
                    name: 'rabbitmq',
                    env: [
                      {
                        name: 'MANC_BROKER_SECRET',
                        valueFrom: { secretKeyRef: { name: 'manc', key: 'broker-secret' } },
                      },
                    ],
                    volumeMounts: [
                      mount('definitions', 'definitions.json', '01-definitions.json'),
                      mount('users', 'users.json', '02-users.json'),
                    ],
                  },
                ],
                volumes: [
                  { name: 'definitions', configMap: { name: 'manc-rabbitmq-definitions' } },
                  { name: 'users', secret: { secretName: 'manc-rabbitmq-users' } },
                ],
              },
            },
          },
        },
      },
    },
  }
  return stringify(resource, { lineWidth: 0 })
}

/** Single files: RabbitMQ would try to load the links that Kubernetes puts into a mounted folder. */
const mount = (name: string, key: string, file: string) => ({
  name,
  subPath: key,
  mountPath: `/etc/rabbitmq/definitions/${file}`,
})

const plugins = (): string[] => source('enabled_plugins').match(/\w+/g) ?? []

/** The versions and cipher suites. The listener and the files of the certificate are set by the operator. */
const tlsSettings = (): string[] =>
  source('listeners.conf')
    .split('\n')
    .filter((line) => /^ssl_options\.(versions|ciphers|honor)/.test(line))

function configuration(): string {
  const text = source('rabbitmq.conf')
    .replace(/^load_definitions = .*$/m, 'load_definitions = /etc/rabbitmq/definitions')
    // RabbitMQ 4 replaces $(…) by the environment variable.
    .replaceAll('http://127.0.0.1:8081/broker/', 'http://manc-internal:8081/broker/$(MANC_BROKER_SECRET)/')
  return `${text}
# The operator adds the certificate.
${tlsSettings().join('\n')}

# The definitions are loaded while the cluster forms: each quorum queue then gets a member on up to three nodes.
quorum_queue.continuous_membership_reconciliation.enabled = true
quorum_queue.continuous_membership_reconciliation.target_group_size = 3
`
}
