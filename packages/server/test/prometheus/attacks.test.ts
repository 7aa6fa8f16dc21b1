import { describe, expect } from 'vitest'
import { expressions, inferences, injections, lists, paths } from './attacks.ts'
import {
  base,
  both,
  hidden,
  test as it,
  metrics,
  type PrometheusEnvironment,
  type Reply,
  seen,
  storedAtS,
} from './environment.ts'

let environment: PrometheusEnvironment

it.beforeAll(({ environment: own }) => {
  environment = own
})

/** The expression itself may be part of an error: only what comes from the store counts. */
function expectHidden({ text }: Reply, sent = ''): void {
  const values = [hidden.clients, hidden.secret, hidden.clients + seen.clients].map(String)
  const marks = [...values, hidden.apId, metrics.secret].filter((mark) => !sent.includes(mark))
  // An id that the caller has sent is not in a result either.
  if (text.startsWith('{"status":"success"')) marks.push(hidden.apId)
  expect(marks.filter((mark) => text.includes(mark))).toEqual([])
}

describe('an app that may see the agents of one pattern does not see others', () => {
  it.each(Object.entries(expressions))('by %s', async (_, query) => {
    const times = { start: String(storedAtS - 300), end: String(storedAtS + 60), step: '60' }
    const instant = new URLSearchParams({ query, time: String(storedAtS) }).toString()
    const range = new URLSearchParams({ query, ...times }).toString()
    for (const reply of [
      await environment.send('GET', `${base}/query?${instant}`),
      await environment.send('POST', `${base}/query`, { form: instant }),
      await environment.send('GET', `${base}/query_range?${range}`),
      await environment.send('POST', `${base}/query_range`, { form: range }),
    ]) {
      expect([200, 422]).toContain(reply.status)
      expectHidden(reply, query)
    }
  })

  it.each(Object.entries(lists))('in the list of %s', async (_, path) => {
    const reply = await environment.send('GET', `${base}/${path}`)
    expect([200, 422]).toContain(reply.status)
    expectHidden(reply, path)
    const [name, query = ''] = path.split('?')
    if (name !== 'series' && name !== 'labels') return
    expectHidden(await environment.send('POST', `${base}/${name}`, { form: query }), path)
  })

  it.each(Object.entries(injections))('with %s in the query, the body or both', async (_, injected) => {
    const query = new URLSearchParams({ query: `{ap_id=~"${both}"}`, time: String(storedAtS) }).toString()
    const match = `match[]=${encodeURIComponent(`{ap_id=~"${both}"}`)}`
    for (const reply of [
      await environment.send('GET', `${base}/query?${query}&${injected}`),
      await environment.send('GET', `${base}/query?${injected}&${query}`),
      await environment.send('POST', `${base}/query`, { form: `${injected}&${query}` }),
      await environment.send('POST', `${base}/query?${injected}`, { form: query }),
      await environment.send('POST', `${base}/query?${injected}`, { form: `${query}&${injected}` }),
      await environment.send('GET', `${base}/series?${match}&${injected}`),
      await environment.send('GET', `${base}/labels?${injected}`),
      await environment.send('GET', `${base}/label/ap_id/values?${injected}`),
      await environment.send('POST', `${base}/series?${injected}`, { form: `${match}&${injected}` }),
    ])
      expectHidden(reply, injected)
    // The parameter has no effect: the result is that without it.
    const { status, text } = await environment.send('GET', `${base}/query?${query}&${injected}`)
    expect(text).toContain(status === 200 ? seen.apId : 'bad_data')
  })

  it.each(paths)('by the path %s', async (path) => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
      const reply = await environment.send(method, path, method === 'POST' ? { form: 'query=up' } : {})
      expect([404, 405, 422]).toContain(reply.status)
      expectHidden(reply, path)
    }
  })

  it.each(Object.entries(inferences))('and cannot infer %s', async (_, [query, value]) => {
    const { result, resultType } = await environment.data('query', { query, time: String(storedAtS) })
    const [first] = resultType === 'scalar' ? [{ value: result }] : result
    expect(first?.value[1]).toBe(value)
  })
})

describe('the attacks', () => {
  it('are at least 40, and would find the other agent with the permission for it', async () => {
    const count = [expressions, lists, injections, paths, inferences]
      .map((group) => Object.keys(group).length)
      .reduce((sum, each) => sum + each)
    expect(count).toBeGreaterThanOrEqual(40)
    const query = expressions['a regular expression of both ids'] ?? ''
    const found = await environment.data('query', { query, time: String(storedAtS) }, environment.adminToken)
    expect(JSON.stringify(found)).toContain(String(hidden.secret))
    expect(JSON.stringify(found)).toContain(hidden.apId)
  })
})
