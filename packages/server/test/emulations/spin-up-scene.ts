import { jobQueue } from '@manc/contract'
import {
  type ApiResponse,
  admin,
  call,
  createIsolatedEnvironment,
  type IsolatedEnvironment,
  type ServerProcess,
  startServerProcess,
  tokenOf,
} from '@manc/harness'
import amqp from 'amqplib'
import pg from 'pg'
import { expect } from 'vitest'

interface Message {
  job_number: string
  data: { part: number; parts: number; agents: { ap_id: string; password: string }[] }
}

/** Where a request is held up: by a lock on a table, or inside of its work by a trigger; and at which of its statements. */
export type Step = { statement: RegExp } & ({ table: string } | { trigger: 'agent 5000' | 'commit' })

const queue = jobQueue('emulator_spinup')
const agents = 10_000
const parts = 40
const emulators = Array.from({ length: 10 }, (_, n) => ({
  access_point_type: ['5G', 'WiFi', 'LiFi'][n % 3],
  num_access_points: 1000,
  locations: ['Bristol'],
  num_devices: 5,
  duration: 3600,
}))

/** Engines and a server of their own, to be killed, and what becomes of requests for 10 × 1,000 agents. */
export class SpinUpScene {
  readonly environment: IsolatedEnvironment
  server: ServerProcess
  readonly #token: string
  /** Those that are known to be there. */
  readonly #jobs = new Set<string>()

  private constructor(environment: IsolatedEnvironment, server: ServerProcess, token: string) {
    this.environment = environment
    this.server = server
    this.#token = token
  }

  static async open(): Promise<SpinUpScene> {
    const environment = await createIsolatedEnvironment()
    environment.variables['MANC_EMULATED_AGENTS'] = '1000000'
    const server = await startServerProcess(environment.variables)
    const token = await tokenOf(server.url, 'user', admin.username, admin.password)
    const scene = new SpinUpScene(environment, server, token)
    await scene.sql(`
      create function held() returns trigger language plpgsql as $$
        begin perform pg_advisory_xact_lock_shared(hashtext(tg_argv[0])); return new; end $$;
      create trigger held before insert on agents for each row when (new.ap_id like '%-5000')
        execute function held('agent 5000');
      create constraint trigger held_at_commit after insert on emulations deferrable initially deferred
        for each row execute function held('commit')`)
    return scene
  }

  async close(): Promise<void> {
    await this.server.stop('SIGKILL')
    await this.environment.drop()
  }

  async startServer(): Promise<void> {
    this.server = await startServerProcess(this.environment.variables)
  }

  async sql(text: string, values: unknown[] = []): Promise<any[]> {
    return await this.environment.sql(text, values)
  }

  /** Undefined where nobody answered. */
  spinUp(key: string): Promise<ApiResponse | undefined> {
    const headers = { 'idempotency-key': key }
    return call(this.server.url, 'POST', '/api/v1/emulator/spinup', {
      token: this.#token,
      body: { emulators },
      headers,
    }).catch(() => undefined)
  }

  /** As a client does: again with the same key until it is answered. */
  async retry(key: string): Promise<ApiResponse> {
    let answer: ApiResponse | undefined
    await expect
      .poll(async () => (answer = await this.spinUp(key))?.status, { timeout: 15_000, interval: 200 })
      .toBe(200)
    return answer as ApiResponse
  }

  /** How many rows each table has, but for the one in which processes say that they are there. */
  rows(): Promise<any[]> {
    return this.sql(`
      select table_name, (xpath('//n/text()', query_to_xml(format('select count(*) as n from %I', table_name), false, true, '')))[1]::text as rows
      from information_schema.tables where table_schema = 'public' and table_name <> 'replicas' order by 1`)
  }

  /** A session that keeps requests from getting any further than this step; answers how to let them. */
  async hold(step: Step): Promise<() => Promise<void>> {
    const client = new pg.Client({ connectionString: this.environment.variables['MANC_DATABASE_URL'] })
    // It dies with the database.
    client.on('error', () => {})
    await client.connect()
    await client.query('begin')
    if ('table' in step) await client.query(`lock table ${step.table} in share mode`)
    else await client.query('select pg_advisory_xact_lock(hashtext($1))', [step.trigger])
    return () => client.end()
  }

  /** Until a request has got to a statement, and waits there. */
  async arrived(statement: RegExp, waitsFor = 'Lock'): Promise<void> {
    const waiting = async () =>
      (
        await this.sql(
          `select query from pg_stat_activity where application_name = 'manc-server'
           and $1 in (wait_event_type, wait_event)`,
          [waitsFor],
        )
      ).some(({ query }) => statement.test(query))
    await expect.poll(waiting, { timeout: 10_000, interval: 20 }).toBe(true)
  }

  /** All of it is there once, and all parts were offered: none but these, and each time with the same agents and passwords. */
  async expectWhole(key: string, { body }: ApiResponse): Promise<void> {
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
    const offered = await this.#offered(job)
    expect(offered.flatMap(({ data }) => data.agents.map(({ ap_id }) => ap_id))).toEqual(ids)
    expect(new Set(offered.flatMap(({ data }) => data.agents.map(({ password }) => password))).size).toBe(
      agents,
    )
    const last = offered.at(-1)?.data.agents.at(-1)
    expect(await tokenOf(this.server.url, 'agent', last?.ap_id ?? '', last?.password ?? '')).toBeTypeOf(
      'string',
    )
  }

  /** How many messages wait for emulators. */
  async waiting(): Promise<number> {
    const connection = await amqp.connect(this.environment.rabbitmqUrl)
    const channel = await connection.createChannel()
    const { messageCount } = await channel.checkQueue(queue)
    await connection.close()
    return messageCount
  }

  /** Takes what waits for emulators, until all parts of the job have come; the parts in order. */
  async #offered(job: string): Promise<Message[]> {
    this.#jobs.add(job)
    const connection = await amqp.connect(this.environment.rabbitmqUrl)
    const channel = await connection.createChannel()
    const texts = new Map<number, string>()
    const take = async () => {
      for (
        let next = await channel.get(queue, { noAck: true });
        next;
        next = await channel.get(queue, { noAck: true })
      ) {
        const text = next.content.toString()
        const { job_number: of, data }: Message = JSON.parse(text)
        // What was told more than once of an earlier one may come late.
        expect([...this.#jobs], 'a message of no job').toContain(of)
        if (of !== job) continue
        expect(text).toBe(texts.get(data.part) ?? text)
        texts.set(data.part, text)
      }
      return [...texts.keys()].sort((a, b) => a - b)
    }
    const all = Array.from({ length: parts }, (_, n) => n + 1)
    await expect.poll(take, { timeout: 20_000, interval: 50 }).toEqual(all)
    await connection.close()
    return all.map((part) => JSON.parse(texts.get(part) ?? ''))
  }
}
