import { operations } from '@manc/contract'

/** The real fetch, which also notes the operations that were called. */
export function recordingFetch(): { send: typeof fetch; called: Set<string> } {
  const called = new Set<string>()
  const send: typeof fetch = async (input, init) => {
    called.add(operationOf(init?.method ?? 'GET', new URL(input).pathname))
    return fetch(input, init)
  }
  return { send, called }
}

/** The operation that a request is for. */
function operationOf(method: string, pathname: string): string {
  const fits = Object.values(operations).filter((operation) => {
    const pattern = operation.path.replace(/\{\w+\}/g, '[^/]+').replace(/\/$/, '')
    return operation.method === method && new RegExp(`^${pattern}/?$`).test(pathname)
  })
  // `/users/me` also fits `/users/{username}`.
  const [found] = fits.toSorted((a, b) => a.path.split('{').length - b.path.split('{').length)
  if (!found) throw new Error(`no operation is ${method} ${pathname}`)
  return found.id
}
