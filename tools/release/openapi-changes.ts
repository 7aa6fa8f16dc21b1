import { compareOpenApi, type Diff } from 'api-smart-diff'

type Json = Record<string, unknown>

/**
 * Changes between two OpenAPI documents that can break a caller of the first. The library classifies most of them. It
 * does not report removed fields, changed types in responses, forbidden additional fields, operation ids (generated clients
 * are named after them) and security requirements.
 */
export function breakingChanges(previous: Json, current: Json): string[] {
  const { diffs } = compareOpenApi(previous, current)
  const changes = diffs.filter((diff) => diff.path[0] === 'paths' && isBreaking(diff))
  return [...new Set([...changes.map((diff) => describe(diff)), ...securityChanges(previous, current)])]
}

function isBreaking({ type, action, path, after }: Diff): boolean {
  const [last] = path.slice(-1)
  const isField = path.at(-2) === 'properties'
  return (
    type === 'breaking' ||
    (action === 'remove' && isField) ||
    (action !== 'add' && !isField && (last === 'type' || last === 'operationId')) ||
    (!isField && last === 'additionalProperties' && after === false)
  )
}

/** `paths` is followed by the path, the method, and the place within the operation. */
function describe({ action, path, before, after }: Diff): string {
  const [, route, method = '', ...place] = path.map(String)
  const where = [`${method.toUpperCase()} ${route}`.trim(), place.join('.')].filter((part) => part !== '')
  const values = action === 'replace' ? `: ${JSON.stringify(before)} → ${JSON.stringify(after)}` : ''
  return `${verbs[action]} ${where.join(', ')}${values}`
}

const verbs = { add: 'added', remove: 'removed', replace: 'changed', rename: 'renamed' }

function securityChanges(previous: Json, current: Json): string[] {
  const before = requirements(previous)
  const after = requirements(current)
  return [...before]
    .filter(([operation, security]) => after.has(operation) && after.get(operation) !== security)
    .map(([operation, security]) => `changed ${operation}, security: ${security} → ${after.get(operation)}`)
}

function requirements(document: Json): Map<string, string> {
  const paths = document['paths'] as Record<string, Record<string, Json>>
  return new Map(
    Object.entries(paths).flatMap(([route, methods]) =>
      Object.entries(methods).map(([method, operation]) => [
        `${method.toUpperCase()} ${route}`,
        JSON.stringify(operation['security'] ?? []),
      ]),
    ),
  )
}
