import { createIsolatedEnvironment, type IsolatedEnvironment } from '@manc/harness'
import { type EmulatorProcess, registerEmulatorApp, startEmulator } from '@manc/harness/emulator-process'
import { type Certificate, TestCa, TlsProxy } from '@manc/harness/tls'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

const soon = { timeout: 60_000, interval: 100 }

let ca: TestCa
let client: Certificate
let environment: IsolatedEnvironment
let proxy: TlsProxy
let emulator: EmulatorProcess | undefined

beforeAll(async () => {
  ca = new TestCa()
  client = ca.issue('emulator')
  const server = ca.issue('localhost')
  environment = await createIsolatedEnvironment(
    { MANC_ROLES: 'api,subscriber,ingester' },
    { ca: ca.pem, cert: server.cert, key: server.key, requireClientCertificate: true },
  )
  await environment.serve()
  await registerEmulatorApp(environment.url, environment.adminToken)
  proxy = await TlsProxy.to(environment.url, server, ca.pem)
})

afterEach(() => {
  emulator?.process.kill('SIGKILL')
})

afterAll(async () => {
  await proxy?.close()
  await environment?.drop()
  ca?.remove()
})

function start(more: Record<string, string>): EmulatorProcess {
  const { amqps, mqtts } = environment.set.ports
  const broker = new URL(environment.rabbitmqUrl)
  emulator = startEmulator(proxy.url, environment, {
    MANC_RABBITMQ_URL: `amqps://${broker.username}:${broker.password}@localhost:${amqps}`,
    MANC_MQTT_URL: `mqtts://localhost:${mqtts}`,
    ...more,
  })
  return emulator
}

describe('an emulator, with a private CA and client certificates', () => {
  it('takes parts over AMQPS, reports over HTTPS, and its agents send over MQTT/TLS', async () => {
    start({
      MANC_CA_FILE: ca.file,
      MANC_CERT_FILE: client.certFile,
      MANC_CLIENT_KEY_FILE: client.keyFile,
    })
    const spec = {
      access_point_type: 'WiFi',
      num_access_points: 3,
      locations: ['Bristol'],
      num_devices: 5,
      duration: 600,
    }
    const { status, body } = await environment.request('POST', '/api/v1/emulator/spinup', {
      emulators: [spec],
    })
    expect([status, body.job_number]).toEqual([200, expect.any(String)])
    const online = async () => {
      const fleet = await environment.request('GET', '/api/v1/fleet/agents?limit=1000')
      return (fleet.body as { state: string }[]).filter(({ state }) => state === 'online').length
    }
    await expect.poll(online, soon).toBe(3)
  })

  it('logs which setting is missing', async () => {
    const untrusting = start({})
    await expect
      .poll(() => untrusting.output(), soon)
      .toContain('Set the file of that CA: --ca-file or MANC_CA_FILE')
    untrusting.process.kill('SIGKILL')
    const anonymous = start({ MANC_CA_FILE: ca.file })
    await expect.poll(() => anonymous.output(), soon).toContain('The server requires a client certificate')
  })
})
