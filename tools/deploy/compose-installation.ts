import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { networkInterfaces, tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { type KeptToken, Manc } from '@manc/sdk'
import { freePort } from '../free-port.ts'
import { output, run } from '../images/run.ts'
import type { TestImages } from '../images/test-images.ts'

const root = path.join(import.meta.dirname, '../..')
const maxWaitMs = 300_000

interface Options {
  images: TestImages
  prefix: string
  tag: string
}

/** An installation with deploy/compose in a temporary folder, on free ports of this machine. */
export class ComposeInstallation {
  readonly admin = 'admin@manc.local'
  /** Of this machine, not loopback: callers reach the installation over the network. */
  readonly host = addressOfThisMachine()
  readonly project = `manc-test-${process.pid}`
  httpsPort = 0
  mqttPort = 0
  readonly #options: Options
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'manc-deploy-'))
  readonly #agent = 'agent-outside'
  #isDemo = false

  constructor(options: Options) {
    this.#options = options
    cpSync(path.join(root, 'deploy'), path.join(this.#folder, 'deploy'), {
      recursive: true,
      // Of an installation in this checkout.
      filter: (file) => !/compose\/(secrets|\.env)/.test(file),
    })
  }

  get url(): string {
    return `https://${this.host}:${this.httpsPort}`
  }

  get mqttUrl(): string {
    return `mqtts://${this.host}:${this.mqttPort}`
  }

  get caFile(): string {
    return path.join(this.#compose, 'secrets/tls/ca.crt')
  }

  get adminPasswordFile(): string {
    return path.join(this.#compose, 'secrets/admin_password')
  }

  get adminPassword(): string {
    return readFileSync(this.adminPasswordFile, 'utf8')
  }

  get #compose(): string {
    return path.join(this.#folder, 'deploy/compose')
  }

  containerOf(service: string): string {
    return `${this.project}_${service}_1`
  }

  async init(): Promise<void> {
    this.httpsPort = await freePort()
    this.mqttPort = await freePort()
    const { images, prefix, tag } = this.#options
    const env = {
      ...process.env,
      MANC_VERSION: tag,
      MANC_IMAGES: prefix,
      MANC_HTTPS_PORT: String(this.httpsPort),
      MANC_MQTT_PORT: String(this.mqttPort),
      MANC_POSTGRES_IMAGE: images.postgres,
      MANC_RABBITMQ_IMAGE: images.rabbitmq,
      MANC_VICTORIA_IMAGE: images.victoria,
      MANC_VMALERT_IMAGE: images.vmalert,
      MANC_PROXY_IMAGE: images.haproxy,
    }
    await run('./init', [this.host, this.admin], { cwd: this.#compose, env })
    const before = this.#secrets()
    await run('./init', [], { cwd: this.#compose, env })
    if (this.#secrets() !== before) throw new Error('The second ./init changed secrets.')
    setDefaultCACertificates([...getCACertificates(), readFileSync(this.caFile, 'utf8')])
  }

  #secrets(): string {
    const names = ['data_key', 'admin_password', 'rabbitmq-users.json', 'tls/server.crt']
    return names.map((name) => readFileSync(path.join(this.#compose, 'secrets', name), 'utf8')).join()
  }

  async up(): Promise<void> {
    await this.#podmanCompose('up', '-d')
  }

  async upDemo(): Promise<void> {
    this.#isDemo = true
    await this.#podmanCompose('up', '-d', 'emulator', 'demo')
  }

  /** Sets them as docs/operations/install-compose.md describes, and afterwards restores those of compose.yaml. */
  async withSettingsOfApi(settings: Record<string, string>, act: () => Promise<void>): Promise<void> {
    const file = path.join(this.#compose, 'compose.override.yaml')
    // YAML includes JSON.
    writeFileSync(file, JSON.stringify({ services: { api: { environment: settings } } }))
    await this.#recreate('api')
    try {
      await act()
    } finally {
      rmSync(file)
    }
    await this.#recreate('api')
  }

  async #recreate(service: string): Promise<void> {
    await this.#podmanCompose('up', '-d', '--force-recreate', service)
    await this.untilConsoleAnswers()
  }

  /** All steps of docs/operations/key-rotation.md, without the hour for tokens of the previous key. */
  async rotateKeys(): Promise<void> {
    const { promise: loggedIn, resolve } = Promise.withResolvers<KeptToken>()
    await this.#manc(resolve).logIn()
    const headers = { authorization: `Bearer ${(await loggedIn).accessToken}` }
    const oldTokenGets = async (expected: number) => {
      const { status } = await fetch(`${this.url}/api/v1/users/me`, { headers })
      if (status !== expected)
        throw new Error(`A token of the old key gets ${status} instead of ${expected}.`)
    }
    await this.#rotationStep('next')
    await this.#rotationStep('use')
    await oldTokenGets(200)
    await run('podman', ['exec', this.containerOf('api'), 'manc-server', 'keys', 'rotate'])
    await this.#rotationStep('finish')
    await oldTokenGets(401)
    const state = await output('podman', ['exec', this.containerOf('api'), 'manc-server', 'keys', 'status'])
    if (!state.includes('No rotation is in progress.')) throw new Error(state)
  }

  async #rotationStep(step: string): Promise<void> {
    await run('./rotate-keys', [step], { cwd: this.#compose })
    await this.#podmanCompose('restart', 'api', 'subscriber', 'ingester')
    await this.untilConsoleAnswers()
  }

  async #podmanCompose(...args: string[]): Promise<void> {
    const files = this.#isDemo ? ['-f', 'compose.yaml', '-f', 'compose.demo.yaml'] : []
    await run('podman-compose', ['-p', this.project, ...files, ...args], { cwd: this.#compose })
  }

  async untilConsoleAnswers(): Promise<void> {
    await until('the console answers over HTTPS', async () => {
      const page = await fetch(this.url)
      return page.status === 200 && (await page.text()).includes('<div id="root">')
    })
    await until('all engines are up', async () => {
      const { engines } = (await (await fetch(`${this.url}/readyz`)).json()) as {
        engines: Record<string, string>
      }
      return Object.values(engines).every((state) => state === 'up')
    })
  }

  /** The agent image, on the network of this machine: outside of the networks of the installation. */
  async startAgent(): Promise<void> {
    const password = 'password-of-the-agent'
    await this.#manc().agents.register({ ap_id: this.#agent, password, configuration: {} })
    const settings = {
      url: this.url,
      mqtt_url: this.mqttUrl,
      ap_id: this.#agent,
      password,
      interval_s: 1,
    }
    const file = path.join(this.#folder, 'agent.json')
    writeFileSync(file, JSON.stringify(settings))
    const { prefix, tag } = this.#options
    await run('podman', [
      'run',
      '-d',
      '--name',
      this.containerOf('agent'),
      '--network=host',
      '--read-only',
      '--cap-drop=ALL',
      '-v',
      `${file}:/etc/manc-agent.json:ro`,
      '-v',
      `${this.caFile}:/run/ca.crt:ro`,
      '-e',
      'NODE_EXTRA_CA_CERTS=/run/ca.crt',
      `${prefix}/manc-agent:${tag}`,
    ])
  }

  async untilAgentIsOnline(): Promise<void> {
    await until('the agent is online', async () => (await this.#manc().fleet.summary()).online > 0)
  }

  /** All of its processes. Its connection stays open, so that only the missing samples tell. */
  async pauseAgent(): Promise<void> {
    await run('podman', ['pause', this.containerOf('agent')])
  }

  async untilAgentIsOffline(): Promise<void> {
    await until('the paused agent is offline', async () => (await this.#manc().fleet.summary()).offline > 0)
  }

  async resumeAgent(): Promise<void> {
    await run('podman', ['unpause', this.containerOf('agent')])
  }

  async untilDemoIsOnline(): Promise<number> {
    const before = 1
    const agents = 20
    await until(
      'the emulated network is online',
      async () => (await this.#manc().fleet.summary()).online >= agents + before,
    )
    return agents
  }

  /** How often processes were restarted because an engine was not there yet. */
  async restarts(): Promise<number> {
    const counts = await Promise.all(
      ['api', 'subscriber', 'ingester', 'proxy', 'postgres', 'rabbitmq', 'victoria', 'vmalert'].map(
        (service) =>
          output('podman', ['inspect', '--format', '{{.RestartCount}}', this.containerOf(service)]),
      ),
    )
    return counts.reduce((sum, count) => sum + Number(count), 0)
  }

  /** From the start of the container to the log line `ready`. */
  async restartSeconds(service: string): Promise<number> {
    const name = this.containerOf(service)
    await run('podman', ['restart', '-t', '20', name])
    const startedAt = Date.parse(
      await output('podman', ['inspect', '--format', '{{.State.StartedAt.UnixMilli}}', name]).then(isoOf),
    )
    let readyAt = 0
    await until(`${service} is ready again`, async () => {
      const lines = (await output('podman', ['logs', '--tail', '50', name])).split('\n')
      const times = lines.flatMap((line) => (line.includes('"msg":"ready"') ? [timeOf(line)] : []))
      readyAt = Math.max(0, ...times)
      return readyAt >= startedAt
    })
    await this.untilConsoleAnswers()
    return (readyAt - startedAt) / 1000
  }

  async printLogs(): Promise<void> {
    for (const service of [
      'proxy',
      'api',
      'subscriber',
      'ingester',
      'postgres',
      'rabbitmq',
      'victoria',
      'vmalert',
      'agent',
      'emulator',
      'demo',
    ]) {
      console.error(`\n== ${service}`)
      await run('podman', ['logs', '--tail', '25', this.containerOf(service)]).catch(() => {})
    }
  }

  async remove(): Promise<void> {
    const filter = ['--filter', `name=^${this.project}_`]
    const containers = await output('podman', ['ps', '-aq', ...filter])
    if (containers) await output('podman', ['rm', '-f', '-v', '-t', '5', ...containers.split('\n')])
    for (const kind of ['volume', 'network']) {
      const names = await output('podman', [kind, 'ls', '-q', ...filter])
      if (names) await output('podman', [kind, 'rm', '-f', ...names.split('\n')])
    }
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #manc(onToken?: (token: KeptToken) => void): Manc {
    const credentials = { username: this.admin, password: this.adminPassword }
    return new Manc({ url: this.url, credentials, ...(onToken && { onToken }) })
  }
}

async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  let lastError: unknown
  for (const deadline = Date.now() + maxWaitMs; Date.now() < deadline; await sleep(500)) {
    try {
      if (await isTrue()) return
      lastError = undefined
    } catch (error) {
      lastError = error
    }
  }
  throw new Error(`Not within ${maxWaitMs / 1000} s: ${what}.`, { cause: lastError })
}

const isoOf = (milliseconds: string) => new Date(Number(milliseconds)).toISOString()

function timeOf(line: string): number {
  const { time } = JSON.parse(line.slice(line.indexOf('{'))) as { time: string | number }
  return new Date(time).getTime()
}

function addressOfThisMachine(): string {
  const addresses = Object.entries(networkInterfaces()).flatMap(([name, list]) =>
    /^(podman|docker|veth|br-)/.test(name) ? [] : (list ?? []),
  )
  return addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1'
}
