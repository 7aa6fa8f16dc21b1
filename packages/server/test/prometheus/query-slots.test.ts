import { get } from 'node:http'
import { describe, expect } from 'vitest'
import { base, largeQuery, type PrometheusEnvironment, test } from './environment.ts'

const it = test.override('variables', { MANC_PROMETHEUS_QUERIES: '1' })

let environment: PrometheusEnvironment

it.beforeAll(({ environment: own }) => {
  environment = own
})

const query = () => environment.send('GET', `${base}/query?query=1`)

/** Starts a query whose result is not read: the store cannot complete it. Returns a function that disconnects. */
function occupy(): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${environment.adminToken}` }
    const sent = get(`${environment.url}${largeQuery(50)}`, { headers, agent: false }, (response) => {
      response.on('error', reject)
      resolve(() => {
        response.off('error', reject).on('error', () => undefined)
        sent.destroy()
      })
    })
    sent.once('error', reject)
  })
}

describe('a replica with one query at a time', () => {
  it('lets others wait, refuses them in the form of Prometheus, and continues when the caller is gone', async () => {
    const disconnect = await occupy()
    const { status, text } = await query()
    expect([status, JSON.parse(text)]).toMatchObject([429, { status: 'error', errorType: 'unavailable' }])
    const waiting = query()
    disconnect()
    expect((await waiting).status).toBe(200)
  })

  it('has its slot again after many callers that disconnect while they wait', async () => {
    const disconnect = await occupy()
    const left = Array.from({ length: 10 }, () => new AbortController())
    const waiting = left.map(({ signal }) =>
      fetch(`${environment.url}${base}/query?query=1`, {
        headers: { authorization: `Bearer ${environment.appToken}` },
        signal,
      }),
    )
    for (const each of left) each.abort()
    expect((await Promise.allSettled(waiting)).map(({ status }) => status)).toEqual(
      Array(10).fill('rejected'),
    )
    disconnect()
    expect((await query()).status).toBe(200)
  })
})
