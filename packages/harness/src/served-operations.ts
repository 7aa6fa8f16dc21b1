import { call } from './client.ts'

const methods = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace']

/** `METHOD /path` of every operation in the OpenAPI document that a server serves. */
export async function servedOperations(url: string): Promise<string[]> {
  const { status, body } = await call(url, 'GET', '/openapi.json')
  if (status !== 200) throw new Error(`/openapi.json: ${status}`)
  return Object.entries<object>(body.paths).flatMap(([path, item]) =>
    Object.keys(item).flatMap((name) => (methods.includes(name) ? [`${name.toUpperCase()} ${path}`] : [])),
  )
}

/** Which of these operations the requests (`METHOD /path`) were for. A request that is for none stays as it is. */
export function operationsOf(requests: Iterable<string>, operations: readonly string[]): string[] {
  const found = [...requests].map((request) => {
    const fitting = operations.filter((operation) => patternOf(operation).test(request))
    // `/users/me` also fits `/users/{username}`.
    const [best] = fitting.toSorted((a, b) => a.split('{').length - b.split('{').length)
    return best ?? request
  })
  return [...new Set(found)].toSorted()
}

const patternOf = (operation: string) =>
  new RegExp(`^${operation.replace(/\/$/, '').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`)
