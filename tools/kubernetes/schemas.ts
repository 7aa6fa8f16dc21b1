import { readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'
import { parse } from 'yaml'
import type { Resource } from './render.ts'
import { installed } from './tools.ts'

interface Schema {
  properties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  items?: Schema
  pattern?: string
  'x-kubernetes-preserve-unknown-fields'?: boolean
  'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string }[]
  [member: string]: unknown
}

interface CustomResourceDefinition {
  spec: {
    group: string
    versions: { name: string; schema: { openAPIV3Schema: Schema } }[]
  }
}

/** The kinds that deploy/kubernetes uses, by the file with their definition. */
const customKinds: Record<string, string> = {
  'rabbitmq.crd.yaml': 'RabbitmqCluster',
  'postgres.crd.yaml': 'Cluster',
  'victoria.crd.yaml': 'VMSingle',
  'servicemonitor.crd.yaml': 'ServiceMonitor',
  'prometheusrule.crd.yaml': 'PrometheusRule',
}

/** Validates resources as the API server does with strict field validation: unknown fields are errors too. */
export class ResourceValidator {
  readonly #ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false, inlineRefs: false })
  readonly #kubernetesKinds = new Map<string, string>()
  readonly #customSchemas = new Map<string, Schema>()
  readonly #compiled = new Map<string, ValidateFunction>()

  constructor() {
    const { definitions } = JSON.parse(readFileSync(installed('kubernetes.json'), 'utf8')) as {
      definitions: Record<string, Schema>
    }
    // The document describes these two as strings; the API server accepts numbers as well.
    definitions['io.k8s.apimachinery.pkg.util.intstr.IntOrString'] = { type: ['string', 'integer'] }
    definitions['io.k8s.apimachinery.pkg.api.resource.Quantity'] = { type: ['string', 'number'] }
    for (const [name, schema] of Object.entries(definitions)) {
      prepare(schema)
      for (const { group, version, kind } of schema['x-kubernetes-group-version-kind'] ?? [])
        this.#kubernetesKinds.set(`${group ? `${group}/` : ''}${version} ${kind}`, name)
    }
    this.#ajv.addSchema({ $id: 'kubernetes', definitions })
    for (const [file, kind] of Object.entries(customKinds)) {
      const { spec } = readDefinition(file, kind)
      for (const { name, schema } of spec.versions)
        this.#customSchemas.set(`${spec.group}/${name} ${kind}`, schema.openAPIV3Schema)
    }
  }

  /** What is wrong with a resource; nothing if it is valid. */
  problems(resource: Resource): string[] {
    const label = `${resource.kind} ${resource.metadata.name}`
    const validate = this.#validatorOf(`${resource.apiVersion} ${resource.kind}`)
    if (!validate) return [`${label}: there is no schema for ${resource.apiVersion} ${resource.kind}`]
    if (validate(resource)) return []
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${label}: ${instancePath} ${message} ${JSON.stringify(params)}`,
    )
  }

  #validatorOf(kind: string): ValidateFunction | undefined {
    const known = this.#compiled.get(kind)
    if (known) return known
    const name = this.#kubernetesKinds.get(kind)
    const custom = this.#customSchemas.get(kind)
    if (custom) prepare(custom)
    const schema = name ? { $ref: `kubernetes#/definitions/${name}` } : custom
    if (!schema) return undefined
    const validate = this.#ajv.compile(schema)
    this.#compiled.set(kind, validate)
    return validate
  }
}

/** Some files have dozens of definitions, which take seconds to parse: only the one of this kind is. */
function readDefinition(file: string, kind: string): CustomResourceDefinition {
  const text = readFileSync(installed(file), 'utf8')
    .split(/^---$/m)
    .find((document) => document.includes(`\n    kind: ${kind}\n`))
  if (!text) throw new Error(`${file} has no definition of ${kind}.`)
  return parse(text) as CustomResourceDefinition
}

/** Go's pattern `(?i)…` is `(?i:…)` here. */
const toRegExp = (pattern: string): string => pattern.replace(/\(\?i\)(.*)$/s, '(?i:$1)')

/** Makes unknown fields an error wherever the schema lists the known ones, and translates patterns. */
function prepare(schema: Schema): void {
  if (
    schema.properties &&
    schema.additionalProperties === undefined &&
    !schema['x-kubernetes-preserve-unknown-fields']
  )
    schema.additionalProperties = false
  if (schema.pattern) schema.pattern = toRegExp(schema.pattern)
  const parts = [...Object.values(schema.properties ?? {}), schema.items, schema.additionalProperties]
  for (const part of parts) if (typeof part === 'object') prepare(part)
}
