import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EngineSet, startSet } from './index.ts'
import { writeSample } from './test-probes.ts'

let set: EngineSet
let listener: Server
const posts: { path: string; labels: Record<string, string> }[] = []

beforeAll(async () => {
  set = await startSet({ ephemeral: true, vmalert: true })
  listener = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text
    })
    request.once('end', () => {
      for (const { labels } of JSON.parse(body))
        posts.push({ path: `${request.method} ${request.url}`, labels })
      response.end()
    })
  })
  listener.listen(set.ports.internal, '127.0.0.1')
  await once(listener, 'listening')
})
afterAll(async () => {
  listener?.close()
  await set?.down()
})

const rule = (name: string) => ({ alert: name, expr: 'last_over_time(probe_value[1h]) > 0' })
const writeRules = (name: string) =>
  writeFileSync(
    set.rulesFile,
    JSON.stringify({ groups: [{ name: 'g', interval: '1s', rules: [rule(name)] }] }),
  )
const postsOf = (name: string) => posts.filter(({ labels }) => labels['alertname'] === name)

test('a set with vmalert evaluates the rules of its file and posts alerts to the internal port', async () => {
  writeRules('first')
  // Written again, because a busy machine may take longer than a sample is current.
  await expect
    .poll(() => writeSample(set, 1).then(() => postsOf('first')[0]?.path), { timeout: 60_000 })
    .toBe('POST /api/v2/alerts')
})

test('a vmalert that was killed and started again reads the rules that were written in between', async () => {
  await set.kill('vmalert')
  writeRules('second')
  await set.start('vmalert')
  await expect.poll(() => postsOf('second').length, { timeout: 60_000 }).toBeGreaterThan(0)
})

test('vmalert is an engine of the set, with an address and a process', async () => {
  expect(set.urls.vmalert).toBe(`http://127.0.0.1:${set.ports.vmalert}`)
  expect(set.inspect('vmalert').pids).toHaveLength(1)
})
