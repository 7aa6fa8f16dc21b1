import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { EngineSet } from './index.ts'

export async function sql(url: string, statement: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const results = [await client.query<unknown[]>({ text: statement, rowMode: 'array' })].flat()
    return (results.at(-1)?.rows ?? []).map((row) => row.join('|')).join('\n')
  } finally {
    await client.end()
  }
}

export async function management(
  set: EngineSet,
  path: string,
  method = 'GET',
  body?: object,
): Promise<unknown> {
  const { origin, username, password } = new URL(set.urls.rabbitmqManagement)
  const response = await fetch(`${origin}/api/${path}`, {
    method,
    headers: { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return text ? JSON.parse(text) : undefined
}

export async function writeSample(set: EngineSet, value: number): Promise<void> {
  await fetch(`${set.urls.victoria}/write`, { method: 'POST', body: `probe probe_value=${value}` })
  await fetch(`${set.urls.victoria}/internal/force_flush`)
}

export async function readSamples(set: EngineSet): Promise<number[]> {
  const response = await fetch(`${set.urls.victoria}/api/v1/export?match[]=probe_value`)
  const lines = (await response.text()).split('\n').filter(Boolean)
  return lines.flatMap((line) => (JSON.parse(line) as { values: number[] }).values)
}

/** Looks for the mark by itself, in any process and not only those that the launcher would recognise. */
function namedIn(pid: string, mark: string): boolean {
  try {
    if (/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) return false
    return ['cmdline', 'environ'].some((file) => readFileSync(`/proc/${pid}/${file}`, 'utf8').includes(mark))
  } catch {
    return false
  }
}

export function processesNaming(mark: string): string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && namedIn(name, mark))
}

export async function until(isSo: () => boolean, timeoutMs = 15_000): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error(`Not so after ${timeoutMs} ms: ${isSo.toString()}`)
    await sleep(50)
  }
}
