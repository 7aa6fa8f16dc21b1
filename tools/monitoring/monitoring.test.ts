import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { agentTopic } from '@manc/contract'
import { call, closedPort, type IsolatedEnvironment, tokenOf, uniqueName } from '@manc/harness'
import { testWithEngines } from '@manc/harness/fixture'
import { connectAsync } from 'mqtt'
import { afterAll, describe, expect } from 'vitest'
import { alerts } from './alerts.ts'
import { dashboards } from './dashboards/index.ts'
import { shortenRules } from './short-rules.ts'

const root = path.join(import.meta.dirname, '../..')
const it = testWithEngines.override('variables', { MANC_ROLES: 'api,subscriber,ingester' })
const soon = { timeout: 60_000, interval: 500 }

let environment: IsolatedEnvironment
let scraper: ChildProcess
let folder: string

/** Scrapes the server every second into the metrics store, as an operator's monitoring does. */
it.beforeAll(async ({ environment: own }) => {
  environment = own
  folder = mkdtempSync(path.join(tmpdir(), 'manc-monitoring-'))
  const config = path.join(folder, 'scrape.yml')
  const target = new URL(environment.server.internalUrl).host
  writeFileSync(
    config,
    `scrape_configs:\n- job_name: manc\n  scrape_interval: 1s\n  static_configs:\n  - targets: ["${target}"]\n`,
  )
  scraper = spawn(
    'vmagent',
    [
      `-promscrape.config=${config}`,
      `-remoteWrite.url=${environment.engines.victoria}/api/v1/write`,
      `-remoteWrite.tmpDataPath=${folder}/queue`,
      '-remoteWrite.flushInterval=500ms',
      `-httpListenAddr=127.0.0.1:${await closedPort()}`,
    ],
    { stdio: 'ignore' },
  )
})

afterAll(() => {
  scraper?.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** A little of everything that the figures are about. */
async function putUnderLoad(): Promise<void> {
  const apId = uniqueName('watched')
  const body = { ap_id: apId, password: 'p', configuration: {} }
  expect((await environment.request('POST', '/api/v1/agents/', body)).status).toBe(200)
  const token = await tokenOf(environment.url, 'agent', apId, 'p')
  const mqtt = await connectAsync(environment.engines.mqtt, {
    clientId: apId,
    username: apId,
    password: 'p',
    protocolVersion: 4,
  })
  try {
    for (let n = 0; n < 8; n++) {
      await mqtt.publishAsync(agentTopic(apId, 'data'), JSON.stringify({ clients: n }), { qos: 1 })
      await call(environment.url, 'POST', '/api/v1/agent_update/update', {
        token,
        body: { payload: { clients: n } },
      })
      await environment.request('POST', '/api/v1/agent_details/request_all_agents_details')
      await environment.request('POST', `/api/v1/send_command?agent_id=${apId}&command=reboot`)
      await environment.request('GET', `/api/v1/metrics/agent_data?agent=${apId}`)
      // Rates need a change between two scrapes.
      const scrapes = await scrapeCount()
      await expect.poll(scrapeCount, soon).toBeGreaterThan(scrapes)
    }
  } finally {
    await mqtt.endAsync(true)
  }
}

const scrapeCount = async () => Number((await query('count_over_time(up[1h])'))[0]?.value[1] ?? 0)

async function query(expr: string): Promise<{ metric: object; value: [number, string] }[]> {
  const url = new URL('/api/v1/query', environment.engines.victoria)
  url.search = new URLSearchParams({ query: expr, nocache: '1' }).toString()
  const { status, data, error } = (await (await fetch(url)).json()) as any
  if (status !== 'success') throw new Error(`${expr}: ${error}`)
  return data.result
}

/** The values that are numbers. */
const numbersOf = async (expr: string) =>
  (await query(expr)).map(({ value }) => Number(value[1])).filter((value) => !Number.isNaN(value))

describe('with a server under load', () => {
  const expressions = [
    ...dashboards.flatMap(({ title, rows }) =>
      rows.flatMap(({ panels }) =>
        panels.flatMap((panel) => panel.series.map(({ expr }) => ({ of: `${title}, ${panel.title}`, expr }))),
      ),
    ),
    ...alerts.map(({ name, expr }) => ({ of: name, expr })),
  ]

  it('every expression of the dashboards and alerts returns data, and no critical alert fires', async () => {
    await putUnderLoad()
    const withoutData = async () => {
      const empty = []
      for (const { of, expr } of expressions) if ((await numbersOf(expr)).length === 0) empty.push(of)
      return empty
    }
    await expect.poll(withoutData, soon).toEqual([])
    const firing = async () => {
      const found = []
      // Warnings about slowness depend on the machine.
      for (const { name, severity, expr, fires } of alerts)
        if (severity === 'critical' && (await query(`(${expr}) ${fires}`)).length > 0) found.push(name)
      return found
    }
    // A condition that does not last, as a late scrape of a busy machine, fires no alert.
    await expect.poll(firing, soon).toEqual([])
  }, 300_000)
})

describe('the alert rules', () => {
  it('are valid for vmalert', () => {
    const rules = path.join(root, 'deploy/prometheus/manc.rules.yml')
    const output = execFileSync('vmalert', ['-dryRun', `-rule=${rules}`], { encoding: 'utf8', stdio: 'pipe' })
    expect(output).not.toMatch(/error/i)
  })

  it('keep all but their durations where they are shortened', () => {
    const shipped = readFileSync(path.join(root, 'deploy/prometheus/manc.rules.yml'), 'utf8')
    const short = shortenRules(shipped, 10)
    const withoutDurations = (text: string) => text.replace(/(for: |\[)\d+[a-z]+/g, '$1')
    expect(withoutDurations(short)).toBe(withoutDurations(shipped))
    expect(short).toContain('for: 6000ms')
    expect(short).toContain('[30000ms]')
    expect(short).not.toMatch(/(for: |\[)\d+[smhd]\b/)
  })

  it('have a runbook each', () => {
    const pages = alerts.map(({ name }) => path.join(root, `docs/operations/runbooks/${name}.md`))
    expect(pages.filter((page) => !existsSync(page))).toEqual([])
  })
})
