import type { Resource } from './render.ts'

export interface Container {
  name: string
  args?: string[]
  env?: { name: string; value?: string; valueFrom?: { secretKeyRef?: { name: string; key: string } } }[]
  envFrom?: { configMapRef: { name: string } }[]
  ports?: object[]
  securityContext?: unknown
  resources?: { requests?: object; limits?: { memory?: string } }
  startupProbe?: object
  livenessProbe?: object
  readinessProbe?: object
}

interface SecretVolume {
  secretName: string
  items: { key: string; path: string }[]
}

interface PodSpec {
  enableServiceLinks?: boolean
  automountServiceAccountToken?: boolean
  securityContext?: unknown
  terminationGracePeriodSeconds?: number
  topologySpreadConstraints?: object[]
  containers: Container[]
  volumes?: { name: string; secret?: SecretVolume }[]
}

/** A Deployment or Job with its pods' specification. */
export interface Workload {
  kind: string
  name: string
  pod: PodSpec
}

export const workloads = (resources: readonly Resource[]): Workload[] =>
  resources
    .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
    .map(({ kind, metadata, spec }) => ({
      kind,
      name: metadata.name,
      pod: (spec as { template: { spec: PodSpec } }).template.spec,
    }))

/** The keys of Secrets that a pod needs, as `secret/key`. */
export const secretKeys = ({ pod }: Workload): string[] => [
  ...(pod.volumes ?? []).flatMap(({ secret }) =>
    (secret?.items ?? []).map(({ key }) => `${secret?.secretName}/${key}`),
  ),
  ...pod.containers
    .flatMap(({ env }) => env ?? [])
    .flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? [])
    .map(({ name, key }) => `${name}/${key}`),
]
