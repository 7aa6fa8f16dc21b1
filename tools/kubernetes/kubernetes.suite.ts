import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { readConfig } from '../../packages/server/src/config.ts'
import { leftoverFiles, staleFiles } from './generate.ts'
import { secretKeys, type Workload, workloads } from './pods.ts'
import { chartFile, helmResources, kubernetesFolder, kustomizeResources, type Resource } from './render.ts'
import { ResourceValidator } from './schemas.ts'
import { output } from './tools.ts'

const small = ['--values', chartFile('values-small.yaml')]
const production = ['--values', chartFile('values-production.yaml')]
const all = ['--set', 'emulator.enabled=true', '--set', 'monitoring.enabled=true']

const renderings: Record<string, () => Resource[]> = {
  'the chart with its defaults': () => helmResources(),
  'the chart with everything enabled': () => helmResources(...all),
  'the small chart': () => helmResources(...small),
  'the production chart': () => helmResources(...production),
  'the small overlay': () => kustomizeResources('overlays/small'),
  'the production overlay': () => kustomizeResources('overlays/production'),
  'the small engines': () => kustomizeResources('engines/small'),
  'the production engines': () => kustomizeResources('engines/production'),
}

const validator = new ResourceValidator()
const isServer = (workload: string) => workload !== 'manc-emulator' && workload !== 'manc-vmalert'

describe('generated files', () => {
  it('are up to date; otherwise run npm run kubernetes -- generate', () => {
    expect({ stale: staleFiles(), leftover: leftoverFiles() }).toEqual({ stale: [], leftover: [] })
  })

  it('pass the strict lint of helm', () => {
    expect(output('helm', ['lint', '--strict', chartFile('.')])).toContain('0 chart(s) failed')
  })
})

describe('schemas of Kubernetes and the operators', () => {
  it.for(Object.keys(renderings))('accept every resource of %s', (name) => {
    const resources = renderings[name]?.() ?? []
    expect(resources.length).toBeGreaterThan(7)
    expect(resources.flatMap((resource) => validator.problems(resource))).toEqual([])
  })

  it('reject a misspelled field, a wrong type and an unknown kind', () => {
    const resources = [...helmResources(...all), ...kustomizeResources('engines/small')]
    const broken = (kind: string, change: (spec: Record<string, unknown>) => void): string[] => {
      const resource = structuredClone(resources.find((each) => each.kind === kind))
      if (!resource) throw new Error(`No ${kind} is rendered.`)
      change(resource['spec'] as Record<string, unknown>)
      return validator.problems(resource)
    }
    const misspelled = (spec: Record<string, unknown>) => Object.assign(spec, { misspelledField: true })
    for (const kind of [
      'Deployment',
      'Job',
      'Ingress',
      'NetworkPolicy',
      'HorizontalPodAutoscaler',
      'PodDisruptionBudget',
      'ServiceMonitor',
      'PrometheusRule',
      'RabbitmqCluster',
      'Cluster',
      'VMSingle',
    ])
      expect(broken(kind, misspelled).join()).toContain('misspelledField')
    expect(broken('Deployment', (spec) => Object.assign(spec, { replicas: 'two' })).join()).toContain(
      '/spec/replicas must be integer',
    )
    expect(broken('RabbitmqCluster', (spec) => Object.assign(spec, { replicas: 'two' })).join()).toContain(
      '/spec/replicas must be integer',
    )
    expect(validator.problems({ apiVersion: 'v9', kind: 'Pod', metadata: { name: 'x' } })).toHaveLength(1)
  })
})

describe('the chart and the overlays', () => {
  it.for([
    { name: 'small', options: small },
    { name: 'production', options: production },
  ])('render the same $name resources', ({ name, options }) => {
    const helm = helmResources(...options, '--set', 'migration.hook=false')
    const kustomize = kustomizeResources(`overlays/${name}`)
    expect(comparable(kustomize)).toEqual(comparable(helm))
  })
})

describe('pods', () => {
  let rendered: Workload[] = []
  beforeAll(() => {
    rendered = [...workloads(helmResources(...all)), ...workloads(kustomizeResources('overlays/production'))]
  })

  it('run without privileges, without a service account token, and on a read-only root file system', () => {
    for (const { pod } of rendered) {
      expect(pod).toMatchObject({
        enableServiceLinks: false,
        automountServiceAccountToken: false,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: 10_001,
          runAsGroup: 10_001,
          seccompProfile: { type: 'RuntimeDefault' },
        },
      })
      for (const container of pod.containers)
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
    }
  })

  it('request CPU and memory, and have a memory limit', () => {
    for (const { pod } of rendered)
      for (const { resources } of pod.containers) {
        expect(resources?.requests).toMatchObject({
          cpu: expect.any(String),
          memory: expect.any(String),
        })
        expect(resources?.limits?.memory).toBeTypeOf('string')
      }
  })

  it('of the server have all probes, spread over nodes, and outlive the drain by 15 seconds or more', () => {
    const servers = rendered.filter(({ kind, name }) => kind === 'Deployment' && isServer(name))
    expect(servers).toHaveLength(6)
    for (const { pod } of servers) {
      expect(pod.topologySpreadConstraints?.length).toBe(2)
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(10 + 15)
      for (const container of pod.containers)
        expect(container).toMatchObject({
          startupProbe: { httpGet: { path: '/healthz' } },
          livenessProbe: { httpGet: { path: '/healthz' } },
          readinessProbe: { httpGet: { path: '/readyz' } },
        })
    }
  })

  it('have a longer grace period with a longer drain', () => {
    const api = workloads(helmResources('--set', 'drainSeconds=60')).find(({ name }) => name === 'manc-api')
    expect(api?.pod.terminationGracePeriodSeconds).toBe(80)
  })

  it.for(['the chart with everything enabled', 'the production overlay'])(
    'have only settings that the server accepts in %s',
    (name) => {
      const resources = renderings[name]?.() ?? []
      const servers = workloads(resources).filter(({ name: workload }) => isServer(workload))
      expect(servers).toHaveLength(4)
      for (const workload of servers)
        expect(readConfig(environment(workload, resources))).toMatchObject({
          MANC_INTERNAL_HOST: '0.0.0.0',
          MANC_DRAIN_SECONDS: 10,
        })
    },
  )

  it('of vmalert send the password to the controller, which is in no argument', () => {
    const [container] = rendered.find(({ name }) => name === 'manc-vmalert')?.pod.containers ?? []
    expect(container?.args).toContain('-notifier.basicAuth.passwordFile=/run/secrets/alarm/password')
    expect(container?.args?.join(' ')).not.toMatch(/:[^/\s]+@/)
    expect(container).toMatchObject({ livenessProbe: { httpGet: { path: '/health' } } })
    const without = ['--set', 'vmalert.enabled=false', '--set', 'secrets.MANC_ALARM_SECRET=null']
    expect(workloads(helmResources(...without)).map(({ name }) => name)).not.toContain('manc-vmalert')
    expect(() => helmResources('--set', 'secrets.MANC_ALARM_SECRET=null')).toThrow('vmalert.enabled=false')
  })

  it('get only the secrets that are not set to null', () => {
    const keys = workloads(helmResources('--set', 'secrets.MANC_SMTP_URL=null')).flatMap(secretKeys)
    expect(keys).toContain('manc/token-key')
    expect(keys).not.toContain('manc/smtp-url')
  })
})

describe('deploy/kubernetes/secrets', () => {
  const secrets = new Map(
    parseAllDocuments(execFileSync(path.join(kubernetesFolder, 'secrets'), { encoding: 'utf8' })).map(
      (document) => {
        const { metadata, stringData } = document.toJS() as Resource & { stringData: Record<string, string> }
        return [metadata.name, stringData]
      },
    ),
  )

  it('writes every key that the pods of the server need from it', () => {
    const needed = new Set(workloads(helmResources()).flatMap(secretKeys))
    needed.delete('manc-postgres-app/uri')
    const written = new Set(
      [...secrets].flatMap(([name, data]) => Object.keys(data).map((key) => `${name}/${key}`)),
    )
    expect([...needed].filter((key) => !written.has(key))).toEqual([])
  })

  it('writes the users of the broker with the passwords of the URLs', () => {
    const { users } = JSON.parse(secrets.get('manc-rabbitmq-users')?.['users.json'] ?? '') as {
      users: { name: string; password_hash: string; tags: string[] }[]
    }
    const urls = ['rabbitmq-url', 'rabbitmq-management-url', 'emulator-rabbitmq-url'].map(
      (key) => new URL(secrets.get('manc')?.[key] ?? ''),
    )
    expect(users.map(({ name }) => name)).toEqual(urls.map(({ username }) => username))
    for (const [index, { password_hash }] of users.entries()) {
      const bytes = Buffer.from(password_hash, 'base64')
      const hash = createHash('sha256')
        .update(bytes.subarray(0, 4))
        .update(urls[index]?.password ?? '')
        .digest()
      expect(bytes.subarray(4)).toEqual(hash)
    }
  })
})

/** The settings of a pod, with sample values for its secrets. */
function environment({ pod }: Workload, resources: readonly Resource[]): Record<string, string> {
  const samples: Record<string, string> = {
    MANC_DATABASE_URL: 'postgresql://manc:password@manc-postgres-rw:5432/manc',
    MANC_RABBITMQ_URL: 'amqp://manc:password@manc-rabbitmq:5672',
    MANC_RABBITMQ_MANAGEMENT_URL: 'http://manc:password@manc-rabbitmq:15672',
    MANC_SMTP_URL: '',
  }
  const found: Record<string, string> = {}
  for (const { env = [], envFrom = [] } of pod.containers) {
    for (const { configMapRef } of envFrom) {
      const map = resources.find(
        ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === configMapRef.name,
      )
      Object.assign(found, map?.['data'])
    }
    for (const { name, value } of env)
      if (name.endsWith('_FILE')) {
        const setting = name.replace(/_FILE$/, '')
        found[setting] = samples[setting] ?? 'x'.repeat(64)
      } else found[name] = value ?? ''
  }
  return found
}

/** Without what differs by design: namespace, the hash in the name of the ConfigMap, and the hash annotation. */
function comparable(resources: readonly Resource[]): Record<string, unknown> {
  const text = JSON.stringify(resources).replaceAll(/manc-settings-[a-z0-9]{10}/g, 'manc-settings')
  return Object.fromEntries(
    (JSON.parse(text) as Resource[]).map((resource) => {
      const { namespace: _, ...metadata } = resource.metadata
      const spec = resource['spec'] as { template?: { metadata?: { annotations?: object } } } | undefined
      delete spec?.template?.metadata?.annotations
      // Kustomize leaves the labels off a generated ConfigMap.
      if (resource.kind === 'ConfigMap') return [`ConfigMap ${metadata.name}`, resource['data']]
      return [`${resource.kind} ${metadata.name}`, { ...resource, metadata }]
    }),
  )
}
