import { createReadStream, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { call } from '@manc/harness'
import { expect, inject } from 'vitest'
import { type CliEnvironment, test as it } from './environment.ts'

const agent = `cli-history-${Date.now().toString(36)}`
const fields = 100
const times = 10_000
const stepMs = 1000
const mostMib = 150
const firstMs = Math.floor(Date.now() / 1000) * 1000 - times * stepMs - 60_000

let environment: CliEnvironment

it.beforeAll(async ({ environment: own }) => {
  environment = own
  await environment.admin.must(['agents', 'register', agent])
  const { victoria } = inject('engines')
  const timestamps = Array.from({ length: times }, (_, n) => firstMs + n * stepMs)
  for (let field = 0; field < fields; field++) {
    const metric = { __name__: `metric_${field}`, ap_id: agent }
    const values = timestamps.map((_, n) => n + field / 100)
    const { status } = await call(victoria, 'POST', '/api/v1/import', {
      body: { metric, values, timestamps },
    })
    expect(status).toBe(204)
  }
  await call(victoria, 'GET', '/internal/force_flush')
}, 60_000)

it('a history of 1,000,000 values is written in order with bounded memory', async () => {
  const file = path.join(environment.admin.home, 'history.csv')
  const from = new Date(firstMs).toISOString()
  const startedAt = Date.now()
  const running = environment.admin.start(['telemetry', 'history', agent, '--from', from, '--output', file])
  let peakMib = 0
  while (running.child.exitCode === null) {
    peakMib = Math.max(peakMib, peakOf(running.child.pid ?? 0))
    await sleep(20)
  }
  const { code, stderr } = await running.ended
  const tookS = (Date.now() - startedAt) / 1000
  expect([code, stderr]).toEqual([0, `${fields * times} values.\n`])
  const seen = await read(file)
  process.stdout.write(`1,000,000 values in ${tookS.toFixed(1)} s, at most ${peakMib.toFixed(0)} MiB\n`)
  expect(seen).toEqual({
    rows: fields * times,
    head: 'time,field,value',
    isOrdered: true,
    sum: expectedSum(),
  })
  expect(peakMib).toBeGreaterThan(20)
  expect(peakMib).toBeLessThan(mostMib)
}, 60_000)

it('a slow reader of the output slows the download down', async () => {
  const running = environment.admin.start([
    'telemetry',
    'history',
    agent,
    '--from',
    new Date(firstMs).toISOString(),
  ])
  running.child.stdout?.removeAllListeners('data').pause()
  await sleep(4000)
  const peakMib = peakOf(running.child.pid ?? 0)
  expect(peakMib).toBeLessThan(mostMib)
  let length = 0
  running.child.stdout
    ?.on('data', (chunk: string) => {
      length += chunk.length
    })
    .resume()
  const { code } = await running.ended
  expect([code, length]).toEqual([0, statSync(path.join(environment.admin.home, 'history.csv')).size])
}, 60_000)

/** The most memory that a process has had; 0 where it is gone. */
function peakOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

async function read(file: string) {
  let [rows, head, last, isOrdered, sum] = [-1, '', '', true, 0]
  for await (const line of createInterface({ input: createReadStream(file) })) {
    rows += 1
    if (rows === 0) head = line
    else {
      const [time = '', , value = ''] = line.split(',')
      isOrdered &&= time >= last
      last = time
      sum += Math.round(Number(value) * 100)
    }
  }
  return { rows, head, isOrdered, sum }
}

const expectedSum = () => (fields * 100 * times * (times - 1)) / 2 + (times * fields * (fields - 1)) / 2
