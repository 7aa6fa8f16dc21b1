import { call } from './http-client.ts'

const methods = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace']

/** Below this path is the interface of Prometheus. It is for programs that have it already: the SDK and the CLI do not. */
const ofPrometheus = '/api/v1/prometheus/'

/** `METHOD /path` of every operation in the OpenAPI document that a server serves, except those of Prometheus. */
export async function servedOperations(url: string): Promise<string[]> {
  const { status, body } = await call(url, 'GET', '/openapi.json')
  if (status !== 200) throw new Error(`/openapi.json: ${status}`)
  const paths = Object.entries<object>(body.paths).filter(([path]) => !path.startsWith(ofPrometheus))
  return paths.flatMap(([path, item]) =>
    Object.keys(item).flatMap((name) => (methods.includes(name) ? [`${name.toUpperCase()} ${path}`] : [])),
  )
}

/** Maps requests (`METHOD /path`) to operations. A request that matches none is kept as it is. */
export function operationsOf(requests: Iterable<string>, operations: readonly string[]): string[] {
  const found = [...requests].map((request) => {
    const matching = operations.filter((operation) => patternOf(operation).test(request))
    // `/users/me` also matches `/users/{username}`.
    const [best] = matching.toSorted((a, b) => a.split('{').length - b.split('{').length)
    return best ?? request
  })
  return [...new Set(found)].toSorted()
}

const patternOf = (operation: string) =>
  new RegExp(`^${operation.replace(/\/$/, '').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`)
