import type { TSchema } from 'typebox'
import { Settings } from 'typebox/system'
import { Errors } from 'typebox/value'

// All of them at once: the default is 8.
Settings.Set({ maxErrors: 100 })

interface Node {
  description?: string
  properties?: Record<string, Node>
  patternProperties?: Record<string, Node>
  items?: Node
}

/**
 * What is wrong with a part of the settings, one line for each member. The `description` of a schema says what to write there.
 * The value itself is not shown: it may be a secret.
 */
export function problemsOf(schema: TSchema, value: unknown, path: string): string[] {
  const lines = Errors(schema, value).flatMap((error) => {
    const segments = error.instancePath.split('/').slice(1).map(unescaped)
    const at = pathOf(path, segments)
    const nodes = nodesAlong(schema, segments)
    const node = nodes.at(-1)
    if (error.keyword === 'additionalProperties')
      return error.params.additionalProperties.map(
        (name) =>
          `${member(at, name)} is unknown. Known members: ${Object.keys(node?.properties ?? {}).join(', ')}`,
      )
    if (error.keyword === 'required')
      return error.params.requiredProperties.map(
        (name) => `${member(at, name)} is missing. Write ${adviceOf([...nodes, node?.properties?.[name]])}`,
      )
    // A second error of the same member, about the schema `false` for unknown ones.
    if (error.keyword === 'boolean') return []
    return [`${at === '' ? 'The file' : at} is invalid. Write ${adviceOf(nodes)}`]
  })
  return [...new Set(lines)]
}

/**
 * What is wrong with an address that matches the pattern of its schema. Credentials in it would be printed and logged, and
 * `fetch` rejects them.
 */
export function addressProblems(schema: TSchema, url: string, path: string, instead: string): string[] {
  if (!URL.canParse(url)) return [`${path} is invalid. Write ${whatToWrite(schema)}`]
  const { username, password } = new URL(url)
  return username === '' && password === ''
    ? []
    : [`${path} contains a user name or a password. Remove them from the address: ${instead}`]
}

/** The description of a schema. */
export const whatToWrite = (schema: TSchema): string => adviceOf([schema])

/** From the whole schema to the one of the member. */
function nodesAlong(schema: Node, segments: readonly string[]): Node[] {
  const nodes: Node[] = [schema]
  for (const segment of segments) {
    const parent = nodes.at(-1) as Node
    const child = Object.hasOwn(parent.properties ?? {}, segment)
      ? parent.properties?.[segment]
      : (parent.items ?? Object.values(parent.patternProperties ?? {})[0])
    if (!child) break
    nodes.push(child)
  }
  return nodes
}

/** Of the member, or of the nearest one around it. */
const adviceOf = (nodes: readonly (Node | undefined)[]): string =>
  nodes.findLast((node) => node?.description !== undefined)?.description ?? 'another value.'

function pathOf(path: string, segments: readonly string[]): string {
  return segments.reduce(
    (at, segment) => (/^\d+$/.test(segment) ? `${at}[${segment}]` : member(at, segment)),
    path,
  )
}

const member = (path: string, name: string) => (path === '' ? name : `${path}.${name}`)

/** JSON Pointer: [RFC 6901, 4]. */
const unescaped = (segment: string) => segment.replaceAll('~1', '/').replaceAll('~0', '~')
