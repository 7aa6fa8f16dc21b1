import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { AgentEnvironment, AgentProcess, agentFolder } from '@manc/harness/agent-process'
import { TestCa, TlsProxy } from '@manc/harness/tls'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

/** Longer than a start and a registration take on a busy machine. */
const soon = { timeout: 60_000, interval: 200 }
const names = ['uptime_s', 'memory_usage_pct']

let ca: TestCa
let environment: AgentEnvironment
let proxy: TlsProxy
let mqttUrl: string
let folder: string
let device: AgentProcess | undefined

beforeAll(async () => {
  ca = new TestCa()
  const server = ca.issue('localhost')
  environment = await AgentEnvironment.open({
    ca: ca.pem,
    cert: server.cert,
    key: server.key,
    requireClientCertificate: false,
  })
  proxy = await TlsProxy.to(environment.server.url, server)
  mqttUrl = `mqtts://localhost:${environment.ports.mqtts}`
  folder = mkdtempSync(path.join(tmpdir(), 'manc-tls-'))
})

afterEach(async () => {
  await device?.stop('SIGKILL')
})

afterAll(async () => {
  await proxy?.close()
  await environment?.close()
  ca?.remove()
  rmSync(folder, { recursive: true, force: true })
})

async function start(
  apId: string,
  settings: object,
  args: string[] = [],
  variables: Record<string, string> = {},
): Promise<AgentProcess> {
  const file = path.join(folder, `${apId}.json`)
  const all = {
    url: proxy.url,
    ap_id: apId,
    state_folder: path.join(folder, apId),
    enrolment_token: await environment.enrolmentToken(apId),
    interval_s: 1,
    ...settings,
  }
  writeFileSync(file, JSON.stringify(all))
  const program = path.join(agentFolder, 'src/main.ts')
  device = new AgentProcess([process.execPath, program, '--settings', file, ...args], variables)
  return device
}

async function isMeasured(apId: string): Promise<void> {
  await expect
    .poll(async () => (await environment.readings(apId, names)).map(({ length }) => length > 1), soon)
    .toEqual([true, true])
}

describe('the reference agent, with a private CA', () => {
  it('registers over HTTPS and sends over MQTT with --ca-file', async () => {
    await start('tls-option', { mqtt_url: mqttUrl }, ['--ca-file', ca.file])
    await isMeasured('tls-option')
  })

  it('registers and sends over HTTPS with the member ca_file of its settings', async () => {
    await start('tls-member', { ca_file: ca.file })
    await isMeasured('tls-member')
  })

  it('takes the CA from MANC_CA_FILE, and the option before that', async () => {
    await start('tls-variable', { mqtt_url: mqttUrl }, [], { MANC_CA_FILE: ca.file })
    await isMeasured('tls-variable')
    await device?.stop('SIGKILL')
    const wrong = await start('tls-order', {}, ['--ca-file', '/nowhere/ca.pem'], { MANC_CA_FILE: ca.file })
    expect(await wrong.ended()).toBe(2)
    expect(wrong.output).toContain('The CA file /nowhere/ca.pem cannot be read (ENOENT). Correct --ca-file')
  })

  it('logs which option to set when the CA is missing, and keeps trying', async () => {
    const untrusting = await start('tls-without', { mqtt_url: mqttUrl })
    await expect.poll(() => untrusting.output, soon).toContain('Set the file of that CA: --ca-file')
    expect(untrusting.process.exitCode).toBe(null)
  })

  it('prints what is wrong with a certificate file', async () => {
    const { certFile, keyFile } = ca.issue('agent')
    const other = ca.issue('other')
    const ends = async (...args: string[]) => {
      const agent = await start('tls-files', {}, args)
      expect(await agent.ended()).toBe(2)
      return agent.output
    }
    expect(await ends('--ca-file', keyFile)).toContain(`The CA file ${keyFile} contains no PEM certificate`)
    expect(await ends('--cert-file', certFile)).toContain('A client certificate and its key belong together')
    expect(await ends('--cert-file', certFile, '--client-key-file', other.keyFile)).toContain(
      `The client key ${other.keyFile} cannot be used with the certificate ${certFile}`,
    )
  })
})

describe('the shell agent, with a private CA', () => {
  const run = async (apId: string, variables: Record<string, string>) => {
    device = new AgentProcess(['/bin/sh', path.join(agentFolder, 'manc-agent.sh')], {
      MANC_URL: proxy.url,
      MANC_AP_ID: apId,
      MANC_INTERVAL: '1',
      MANC_STATE: path.join(folder, apId),
      MANC_ENROLMENT_TOKEN: await environment.enrolmentToken(apId),
      ...variables,
    })
    return device
  }

  it('sends over HTTPS with MANC_CA_FILE', async () => {
    await run('tls-shell', { MANC_CA_FILE: ca.file })
    await isMeasured('tls-shell')
  })

  it('logs the failed verification without it', async () => {
    const untrusting = await run('tls-shell-without', {})
    await expect.poll(() => untrusting.output, soon).toContain('SSL certificate problem')
  })
})
