import { jobQueue } from '@manc/contract'
import {
  type ApiResponse,
  admin,
  brokerManagement,
  call,
  createIsolatedEnvironment,
  IsolatedEnvironment,
  type ServerProcess,
  startServerProcess,
  tokenOf,
} from '@manc/harness'
import { environmentTest } from '@manc/harness/fixture'
import amqp from 'amqplib'
import pg from 'pg'
import { expect } from 'vitest'

interface Message {
  job_number: string
  data: { part: number; parts: number; agents: { ap_id: string; password: string }[] }
}

/** Where a request is blocked: by a lock on a table or by a trigger, and at which of its statements. */
export type Step = { statement: RegExp } & ({ table: string } | { trigger: 'agent 5000' | 'commit' })

const queue = jobQueue('emulator_spinup')
const limitPolicy = '/api/policies/%2F/few'
/** Longer than any step takes on a busy machine. */
export const patiently = { timeout: 90_000, interval: 100 }
const agents = 10_000
const parts = 10
const emulators = Array.from({ length: 10 }, (_, n) => ({
  access_point_type: ['5G', 'WiFi', 'LiFi'][n % 3],
  num_access_points: 1000,
  locations: ['Bristol'],
  num_devices: 5,
  duration: 3600,
}))

/** Engines and a server process that are killed while requests for 10 × 1,000 agents are in progress. */
export class SpinUpEnvironment extends IsolatedEnvironment {
  #process: ServerProcess | undefined
  #adminToken = ''
  /** Functions that release the locks that are still held. */
  readonly #locks = new Set<() => Promise<void>>()

  static async open(): Promise<SpinUpEnvironment> {
    const { set, variables } = await createIsolatedEnvironment({
      MANC_EMULATED_AGENTS: '1000000',
      MANC_EMULATED_AGENTS_TOTAL: '1000000',
    })
    const environment = new SpinUpEnvironment(set, variables)
    await environment.startProcess()
    environment.#adminToken = await tokenOf(environment.url, 'user', admin.username, admin.password)
    await environment.sql(`
      create function held() returns trigger language plpgsql as $$
        begin perform pg_advisory_xact_lock_shared(hashtext(tg_argv[0])); return new; end $$;
      create trigger held before insert on agents for each row when (new.ap_id like '%-5000')
        execute function held('agent 5000');
      create constraint trigger held_at_commit after insert on emulations deferrable initially deferred
        for each row execute function held('commit')`)
    return environment
  }

  override get url(): string {
    return this.#process?.url ?? ''
  }

  override get adminToken(): string {
    return this.#adminToken
  }

  override async drop(): Promise<void> {
    await this.killProcess()
    await super.drop()
  }

  async startProcess(): Promise<void> {
    this.#process = await startServerProcess(this.variables)
  }

  async killProcess(): Promise<void> {
    await this.#process?.stop('SIGKILL')
  }

  /** Undoes what a failed test has left: stopped engines, locks, changed settings, a killed server. */
  async restore(): Promise<void> {
    for (const engine of ['postgres', 'rabbitmq'] as const) {
      await this.set.start(engine)
      await this.set.resume(engine)
    }
    for (const release of this.#locks) await release()
    await this.withoutStandby()
    await this.unlimitQueue()
    const { exitCode = null, signalCode = null } = this.#process?.process ?? {}
    if (exitCode !== null || signalCode !== null) await this.startProcess()
    const ready = async () => (await call(this.url, 'GET', '/readyz').catch(() => undefined))?.status
    await expect.poll(ready, patiently).toBe(200)
  }

  /** Undefined where there was no response. */
  spinUp(key: string): Promise<ApiResponse | undefined> {
    const headers = { 'idempotency-key': key }
    return call(this.url, 'POST', '/api/v1/emulator/spinup', {
      token: this.#adminToken,
      body: { emulators },
      headers,
    }).catch(() => undefined)
  }

  /** Repeats the request with the same key until it succeeds, as a caller does. */
  async retry(key: string): Promise<ApiResponse> {
    let response: ApiResponse | undefined
    await expect.poll(async () => (response = await this.spinUp(key))?.status, patiently).toBe(200)
    return response as ApiResponse
  }

  /** The number of rows of each table, except the heartbeats of servers and the table that PostgreSQL empties after a crash. */
  rowCounts(): Promise<any[]> {
    return this.sql(`
      select table_name, (xpath('//n/text()', query_to_xml(format('select count(*) as n from %I', table_name), false, true, '')))[1]::text as rows
      from information_schema.tables where table_schema = 'public' and table_name not in ('processes', 'replicas', 'known_logins') order by 1`)
  }

  /** Blocks requests at this step from another session. Returns the function that releases them. */
  async block(step: Step): Promise<() => Promise<void>> {
    const client = new pg.Client({ connectionString: this.databaseUrl })
    // The connection breaks when a test kills the database.
    client.on('error', () => {})
    await client.connect()
    await client.query('begin')
    if ('table' in step) await client.query(`lock table ${step.table} in share mode`)
    else await client.query('select pg_advisory_xact_lock(hashtext($1))', [step.trigger])
    const release = async () => {
      if (this.#locks.delete(release)) await client.end().catch(() => {})
    }
    this.#locks.add(release)
    return release
  }

  /** Waits until a request is blocked at this statement. */
  async blockedAt(statement: RegExp, waitEvent = 'Lock'): Promise<void> {
    const isBlocked = async () =>
      (
        await this.sql(
          `select query from pg_stat_activity where application_name = 'manc-server'
           and $1 in (wait_event_type, wait_event)`,
          [waitEvent],
        )
      ).some(({ query }) => statement.test(query))
    await expect.poll(isBlocked, patiently).toBe(true)
  }

  /** Makes commits wait for a standby that does not exist, after they are written to the log. */
  async withStandby(): Promise<void> {
    await this.sql(`alter system set synchronous_standby_names = 'missing_standby'`)
    await this.#reloaded('missing_standby')
  }

  async withoutStandby(): Promise<void> {
    await this.sql('alter system reset synchronous_standby_names')
    await this.#reloaded('')
  }

  async #reloaded(standby: string): Promise<void> {
    await this.sql('select pg_reload_conf()')
    const shown = async () => (await this.sql('show synchronous_standby_names'))[0].synchronous_standby_names
    await expect.poll(shown, patiently).toBe(standby)
  }

  /** Makes the queue of the emulators accept a few messages and reject the rest. */
  async limitQueue(): Promise<void> {
    await brokerManagement(this.engines, 'PUT', limitPolicy, {
      pattern: '^manc[.]jobs[.]emulator_spinup$',
      definition: { 'max-length': 3, overflow: 'reject-publish' },
      'apply-to': 'queues',
    })
    await expect.poll(() => this.#queuePolicy(), patiently).toBe('few')
  }

  async unlimitQueue(): Promise<void> {
    // Not from the queue: right after a start the broker lists queues without their policies.
    const policies = (await brokerManagement(this.engines, 'GET', '/api/policies/%2F')) as { name: string }[]
    if (policies.some(({ name }) => name === 'few'))
      await brokerManagement(this.engines, 'DELETE', limitPolicy)
  }

  async #queuePolicy(): Promise<string | null> {
    const found = await brokerManagement(this.engines, 'GET', `/api/queues/%2F/${queue}`)
    return (found as { policy?: string }).policy ?? null
  }

  /** The records of the emulation exist once, and every part was offered, always with the same agents and passwords. */
  async expectComplete(key: string, { body }: ApiResponse): Promise<void> {
    const { job_number: job, agents: ids } = body
    expect(new Set(ids).size).toBe(agents)
    const [kept] = await this.sql(
      `select (select array_agg(job_number) from job_keys where key = $1) as jobs,
         (select array_agg(ap_id) from agents where emulation = $2 and password_hash <> '') as agents,
         (select count(*)::int from fleet join agents using (ap_id) where emulation = $2) as fleet,
         (select agents from emulations where job_number = $2) as emulated,
         (select count(*)::int from emulation_parts where job_number = $2) as parts,
         (select count(*)::int from audit where target = $2) as audited`,
      [key, job],
    )
    expect(kept.agents).toHaveLength(agents)
    expect(new Set(kept.agents)).toEqual(new Set(ids))
    expect(kept).toMatchObject({ jobs: [job], fleet: agents, emulated: agents, parts, audited: 1 })
    const offered = await this.#offeredParts(job)
    expect(offered.flatMap(({ data }) => data.agents.map(({ ap_id }) => ap_id))).toEqual(ids)
    expect(new Set(offered.flatMap(({ data }) => data.agents.map(({ password }) => password))).size).toBe(
      agents,
    )
    const last = offered.at(-1)?.data.agents.at(-1)
    expect(await tokenOf(this.url, 'agent', last?.ap_id ?? '', last?.password ?? '')).toBeTypeOf('string')
  }

  /** How many messages are in the queue of the emulators. */
  async queued(): Promise<number> {
    const connection = await amqp.connect(this.rabbitmqUrl)
    const channel = await connection.createChannel()
    const { messageCount } = await channel.checkQueue(queue)
    await connection.close()
    return messageCount
  }

  /** Reads the queue of the emulators until all parts of the job were received. Returns them in order. */
  async #offeredParts(job: string): Promise<Message[]> {
    const connection = await amqp.connect(this.rabbitmqUrl)
    const channel = await connection.createChannel()
    const texts = new Map<number, string>()
    const others = new Set<string>()
    const receive = async () => {
      for (
        let next = await channel.get(queue, { noAck: true });
        next;
        next = await channel.get(queue, { noAck: true })
      ) {
        const text = next.content.toString()
        const { job_number: of, data }: Message = JSON.parse(text)
        if (of !== job) {
          others.add(of)
          continue
        }
        expect(text).toBe(texts.get(data.part) ?? text)
        texts.set(data.part, text)
      }
      return [...texts.keys()].sort((a, b) => a - b)
    }
    const all = Array.from({ length: parts }, (_, n) => n + 1)
    await expect.poll(receive, patiently).toEqual(all)
    await connection.close()
    // A part that was published twice may arrive during a later test, but only parts of jobs that exist are published.
    const known = await this.sql('select job_number from jobs where job_number = any($1)', [[...others]])
    expect(new Set(known.map(({ job_number }) => job_number))).toEqual(others)
    return all.map((part) => JSON.parse(texts.get(part) ?? ''))
  }
}

export const test = environmentTest(() => SpinUpEnvironment.open())
