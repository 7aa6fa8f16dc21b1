import { envelopeProtocol } from '@manc/contract'
import { call, uniqueName } from '@manc/harness'
import { expect } from 'vitest'
import { test as base, type JobsEnvironment } from './environment.ts'

const keptJobs = 8
const keptBytes = 200_000
const it = base.override('variables', {
  MANC_KEPT_RESULTS: String(keptJobs),
  MANC_KEPT_RESULTS_BYTES: String(keptBytes),
})

let environment: JobsEnvironment
it.beforeAll(({ environment: own }) => {
  environment = own
})

const resultsOf = (jobNumber: string, query = '', token = environment.adminToken) =>
  environment.request('GET', `/api/v1/jobs/${jobNumber}/results${query}`, undefined, token)

/** Posts items of any type. */
async function post(jobNumber: string, data: unknown[], options: { token?: string } = {}): Promise<void> {
  const { status } = await environment.postResult(jobNumber, data, { ...options, kind: 'agent_data' })
  expect(status).toBe(200)
}

/** Reads a mailbox over its socket, and waits until that is stored. */
async function deliver(jobNumber: string, messages: number): Promise<unknown[]> {
  const client = await environment.connect(jobNumber, { protocols: [envelopeProtocol] })
  client.socket.on('message', (data) => client.acknowledge(JSON.parse((data as Buffer).toString()).seq))
  await expect.poll(() => client.messages.length).toBe(messages)
  await expect
    .poll(async () => (await environment.request('GET', `/api/v1/jobs/${jobNumber}`)).body.read_seq)
    .toBe(messages)
  client.socket.terminate()
  return client.messages.map(({ data }) => data)
}

it('results are read before and after their delivery, unchanged and as often as wanted', async () => {
  const box = uniqueName('kept')
  await post(box, [{ a: 1 }, { b: [true, null] }])
  await post(box, [2])
  const before = (await resultsOf(box)).body
  expect(before).toMatchObject([
    {
      seq: 1,
      type: 'result',
      final: false,
      delivered: false,
      data: [{ a: 1 }, { b: [true, null] }],
      detail: null,
    },
    { seq: 2, delivered: false, data: [2] },
  ])
  // Reading here delivers nothing.
  expect(await deliver(box, 2)).toEqual([[{ a: 1 }, { b: [true, null] }], [2]])
  for (const _ of [1, 2]) {
    const after = (await resultsOf(box)).body
    expect(after).toEqual(before.map((each: object) => ({ ...each, delivered: true })))
  }
})

it('a delivered result is not delivered again', async () => {
  const box = uniqueName('once')
  await post(box, ['old'])
  await deliver(box, 1)
  await post(box, ['new'])
  const client = await environment.connect(box, { replica: 1 })
  await expect.poll(() => client.messages.length).toBe(1)
  expect(client.messages).toEqual([['new']])
})

it('the text of a result is returned as it was posted', async () => {
  const box = uniqueName('text')
  const token = await environment.posterToken()
  const posted = '[1.0, "\\u00e9",   {"b":1,"a":2}]'
  await fetch(`${environment.url}/api/v1/callback/agent_data?job_number=${box}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    // A byte order mark before a JSON text is no part of it.
    body: `\ufeff${posted}`,
  })
  const response = await fetch(`${environment.url}/api/v1/jobs/${box}/results`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(await response.text()).toContain(`"data":${posted}}`)
  const client = await environment.connect(box, { token })
  await expect.poll(() => client.messages).toEqual([[1, 'é', { b: 1, a: 2 }]])
})

it('results are read in pages', async () => {
  const box = uniqueName('pages')
  for (let n = 1; n <= 5; n++) await post(box, [n])
  const seen: number[] = []
  let path: string | undefined = `/api/v1/jobs/${box}/results?limit=2`
  let pages = 0
  while (path !== undefined) {
    const response: Awaited<ReturnType<typeof call>> = await call(environment.url, 'GET', path, {
      token: environment.adminToken,
    })
    seen.push(...response.body.map(({ data }: { data: number[] }) => data[0]))
    path = /<([^>]*)>;\s*rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
    pages++
  }
  expect([seen, pages]).toEqual([[1, 2, 3, 4, 5], 3])
  expect((await resultsOf(box, '?after=4')).body.map(({ seq }: { seq: number }) => seq)).toEqual([5])
})

it('a page of large results ends early', async () => {
  const box = uniqueName('large')
  const token = await environment.posterToken()
  const large = ['x'.repeat(3 * 1024 * 1024)]
  for (const _ of [1, 2]) await post(box, large, { token })
  await post(box, ['small'], { token })
  const response = await resultsOf(box, '', token)
  expect(response.body.map(({ seq }: { seq: number }) => seq)).toEqual([1, 2])
  expect(response.headers.get('link')).toContain(`/api/v1/jobs/${box}/results?limit=100&after=2`)
})

it('a page ends early also if a later result is not kept', async () => {
  const box = uniqueName('dropped')
  const token = await environment.posterToken()
  const large = ['x'.repeat(3 * 1024 * 1024)]
  for (const data of [large, large, ['small'], ['dropped']]) await post(box, data, { token })
  await environment.sql('update mailbox set data = null where job_number = $1 and seq = 4', [box])
  const seqsOf = async (query: string) =>
    (await resultsOf(box, query, token)).body.map(({ seq }: { seq: number }) => seq)
  expect(await seqsOf('')).toEqual([1, 2])
  expect(await seqsOf('?after=2')).toEqual([3, 4])
})

it('only the newest delivered results are kept, and older ones say why they are missing', async () => {
  const boxes: string[] = []
  for (let n = 0; n <= keptJobs; n++) {
    const box = uniqueName('newest')
    boxes.push(box)
    await post(box, [n])
    await deliver(box, 1)
  }
  const dataOf = async (box: string | undefined) => (await resultsOf(box ?? '')).body[0]
  await expect.poll(async () => (await dataOf(boxes[0])).data).toBe(null)
  expect((await dataOf(boxes[0])).detail).toContain('MANC_KEPT_RESULTS')
  expect(await dataOf(boxes.at(-1))).toMatchObject({ data: [keptJobs], detail: null })
})

it('the delivered results of a caller are kept up to a number of bytes', async () => {
  const half = ['x'.repeat(keptBytes * 0.6)]
  const [first, second, whole] = [uniqueName('bytes'), uniqueName('bytes'), uniqueName('bytes')]
  for (const box of [first, second]) {
    await post(box, half)
    await deliver(box, 1)
  }
  await expect.poll(async () => (await resultsOf(first)).body[0].data).toBe(null)
  expect((await resultsOf(second)).body[0].data).toEqual(half)
  // One that is larger than all of it is delivered and not kept, and keeps the others.
  await post(whole, ['x'.repeat(keptBytes)])
  await deliver(whole, 1)
  expect((await resultsOf(whole)).body[0]).toMatchObject({ delivered: true, data: null })
  expect((await resultsOf(second)).body[0].data).toEqual(half)
  const [{ bytes }] = await environment.sql('select sum(kept_bytes)::int as bytes from jobs')
  expect(bytes).toBeLessThanOrEqual(keptBytes)
  const metrics = (await call(environment.server.internalUrl, 'GET', '/metrics')).body
  expect(metrics).toMatch(/manc_limit_reached_total\{limit="MANC_KEPT_RESULTS_BYTES"\} [1-9]/)
  expect(metrics).toMatch(/^manc_kept_results_bytes \d+$/m)
})

it("another caller's results do not exist", async () => {
  const box = uniqueName('own')
  await post(box, [1])
  const other = await environment.createUser(`${uniqueName('other')}@kept.test`)
  expect((await resultsOf(box, '', other)).status).toBe(404)
})
