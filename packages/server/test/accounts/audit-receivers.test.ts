import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { appendFile, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { AuditRecord } from '@manc/contract'
import { startReplica, type TestEnvironment, uniqueName, type Variables } from '@manc/harness'
import { test as it } from '@manc/harness/fixture'
import { expect, onTestFinished } from 'vitest'

const soon = { timeout: 30_000, interval: 100 }

/** A change with an audit entry; returns its target. */
async function change(environment: TestEnvironment): Promise<string> {
  const name = uniqueName('received')
  const app = { app_name: name, api_key: 'a-hidden-key', permissions: {} }
  expect((await environment.request('POST', '/api/v1/third_party_apps/', app)).status).toBe(200)
  return name
}

/** A replica that exports, beside the one that serves the requests. */
async function startExporter(environment: TestEnvironment, variables: Variables) {
  const replica = await startReplica({ ...environment.variables, ...variables })
  onTestFinished(() => replica.stop())
  return replica
}

async function temporaryFile(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'manc-audit-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return path.join(folder, 'audit.jsonl')
}

const targetsIn = async (file: string): Promise<string[]> => {
  const lines = (await readFile(file, 'utf8').catch(() => ''))
    .split('\n')
    .filter((line) => line.startsWith('{'))
  return lines.map((line) => (JSON.parse(line) as AuditRecord).target)
}

/** A syslog server that collects what it receives. */
async function syslogServer(port = 0) {
  const received: string[] = []
  const server = net.createServer((socket) =>
    socket.setEncoding('utf8').on('data', (text) => received.push(String(text))),
  )
  await once(server.listen(port, '127.0.0.1'), 'listening')
  const stop = () => new Promise<void>((resolve) => void server.close(() => resolve()))
  return { port: (server.address() as net.AddressInfo).port, text: () => received.join(''), stop }
}

it('the audit file gets each entry once from two replicas, also after it was renamed', async ({
  environment,
}) => {
  const file = await temporaryFile()
  await startExporter(environment, { MANC_AUDIT_PATH: file })
  await startExporter(environment, { MANC_AUDIT_PATH: file })
  const first = [await change(environment), await change(environment)]
  await expect.poll(() => targetsIn(file), soon).toEqual(expect.arrayContaining(first))
  await rename(file, `${file}.1`)
  const second = await change(environment)
  await expect.poll(() => targetsIn(file), soon).toContain(second)
  const all = [...(await targetsIn(`${file}.1`)), ...(await targetsIn(file))]
  for (const target of [...first, second]) expect(all.filter((each) => each === target)).toHaveLength(1)
  expect(await readFile(file, 'utf8')).not.toContain('a-hidden-key')
})

it('an entry after a half-written line of the audit file begins on a new line', async ({ environment }) => {
  const file = await temporaryFile()
  await appendFile(file, '{"id":"7","half')
  await startExporter(environment, { MANC_AUDIT_PATH: file })
  const target = await change(environment)
  const own = async () => (await readFile(file, 'utf8')).split('\n').find((line) => line.includes(target))
  await expect.poll(own, soon).toBeDefined()
  expect(JSON.parse((await own()) ?? '')).toMatchObject({ action: 'app.create', target })
})

it('entries written while the syslog server is down arrive when it is back', async ({ environment }) => {
  const before = await syslogServer()
  const exporter = await startExporter(environment, {
    MANC_AUDIT_SYSLOG_URL: `tcp://127.0.0.1:${before.port}`,
  })
  const first = await change(environment)
  await expect.poll(before.text, soon).toContain(first)
  await before.stop()
  const missed = await change(environment)
  const isFailing = () => exporter.logged().includes('exporting audit entries failed')
  await expect.poll(isFailing, soon).toBe(true)
  const back = await syslogServer(before.port)
  await expect.poll(back.text, soon).toContain(missed)
  await back.stop()
  const [message = ''] =
    back.text().match(/\d+ <110>1 \S+ \S+ manc-server \d+ app\.create - \{.*?"target":"[^"]+"/) ?? []
  expect(message).toContain(missed)
  const [length, rest] = [Number.parseInt(back.text(), 10), back.text().replace(/^\d+ /, '')]
  expect(() =>
    JSON.parse(
      Buffer.from(rest)
        .subarray(0, length)
        .toString()
        .replace(/^.*? - /, ''),
    ),
  ).not.toThrow()
})

it('a syslog server gets entries over UDP', async ({ environment }) => {
  const socket = createSocket('udp4')
  const received: string[] = []
  socket.on('message', (message) => received.push(message.toString()))
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  await startExporter(environment, { MANC_AUDIT_SYSLOG_URL: `udp://127.0.0.1:${socket.address().port}` })
  const target = await change(environment)
  await expect.poll(() => received.find((message) => message.includes(target)), soon).toMatch(/^<110>1 /)
  socket.close()
})
