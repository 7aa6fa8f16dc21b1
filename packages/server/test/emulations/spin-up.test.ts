import { jobQueue } from '@manc/contract'
import { call, startReplica, type TestEnvironment, tokenOf, uniqueName } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import amqp from 'amqplib'
import { describe, expect } from 'vitest'

const it = test.override('variables', {
  MANC_EMULATED_AGENTS: '2000',
  // Agents are removed soon after that: not before the tests have looked at them.
  MANC_EMULATOR_WAIT_SECONDS: '12',
  MANC_EMULATED_KEEP_SECONDS: '1',
  MANC_LOG_LEVEL: 'trace',
})

let environment: TestEnvironment

it.beforeAll(({ environment: own }) => {
  environment = own
})

const spec = (more: object = {}) => ({
  access_point_type: 'WiFi',
  num_access_points: 2,
  locations: ['Bristol, GB'],
  num_devices: 5,
  duration: 600,
  ...more,
})

const spinUp = (emulators: unknown[], headers = {}, as = environment.adminToken) =>
  call(environment.url, 'POST', '/api/v1/emulator/spinup', { token: as, body: { emulators }, headers })

const sql = async (text: string, values: unknown[] = []) => await environment.sql(text, values)

interface Message {
  job_number: string
  task_type: string
  data: {
    part: number
    parts: number
    begins_at: string
    agents: { ap_id: string; password: string; latitude: number; longitude: number; spec: number }[]
  }
}

/** Takes what waits for emulators off the broker, until there were so many of this job. */
async function messages(count: number, job: string): Promise<Message[]> {
  const connection = await amqp.connect(environment.rabbitmqUrl)
  const taken: Message[] = []
  try {
    const channel = await connection.createChannel()
    await expect
      .poll(
        async () => {
          const message = await channel.get(jobQueue('emulator_spinup'), { noAck: true })
          const one = message ? (JSON.parse(message.content.toString()) as Message) : undefined
          if (one?.job_number === job) taken.push(one)
          return taken.length
        },
        { timeout: 60_000, interval: 10 },
      )
      .toBe(count)
  } finally {
    await connection.close()
  }
  return taken.sort((a, b) => a.data.part - b.data.part)
}

describe('spinning up an emulation (25)', () => {
  it('creates agents that log in with the passwords of the message, which are stored nowhere else', async () => {
    const { status, body } = await spinUp([spec(), spec({ access_point_type: 'LiFi', num_access_points: 1 })])
    expect(status).toBe(200)
    const prefix = body.job_number.slice(0, 8)
    expect(body.agents).toEqual([`emu-wifi-${prefix}-1`, `emu-wifi-${prefix}-2`, `emu-lifi-${prefix}-3`])
    const [message] = await messages(1, body.job_number)
    expect(message).toMatchObject({ job_number: body.job_number, task_type: 'emulator_spinup' })
    expect(message?.data).toMatchObject({ part: 1, parts: 1 })
    for (const { ap_id: apId, password } of message?.data.agents ?? [])
      expect(await tokenOf(environment.url, 'agent', apId, password)).toBeTypeOf('string')
    expect(
      (
        await call(environment.url, 'POST', '/api/v1/token/?login_type=agent', {
          form: { username: body.agents[0], password: 'wrong' },
        })
      ).status,
    ).toBe(401)
    const secret = message?.data.agents[0]?.password ?? ''
    const requests = await sql(
      'select request, specs, places from jobs join emulations using (job_number) where job_number = $1',
      [body.job_number],
    )
    expect(JSON.stringify(requests)).not.toMatch(/Bristol|locations/)
    const stored = await sql(`select row_to_json(t)::text as text from (
      select to_json(jobs) as row from jobs union all select to_json(agents) from agents
      union all select to_json(emulations) from emulations union all select to_json(emulation_parts) from emulation_parts
      union all select to_json(audit) from audit) as t`)
    expect(stored.length).toBeGreaterThan(5)
    for (const { text } of stored) expect(text).not.toContain(secret)
    expect(environment.server.logged()).not.toContain(secret)
  })

  it('puts the first access point exactly at the location and the others around it', async () => {
    const at = { locations: ['51.4545,-2.5879'], num_access_points: 3, seed: 's' }
    const configurations = async (more: object) => {
      const { body } = await spinUp([spec({ ...at, ...more })])
      await messages(1, body.job_number)
      return Promise.all(
        body.agents.map(
          async (apId: string) =>
            (await environment.request('GET', `/api/v1/agents/${apId}`)).body.configuration,
        ),
      )
    }
    const [first, second, third] = await configurations({})
    expect(first).toEqual({
      technology: 'WiFi',
      geolocation: { latitude: 51.4545, longitude: -2.5879 },
      telemetry_interval_s: 1,
    })
    for (const { geolocation } of [second, third]) {
      const metres = Math.hypot(
        (geolocation.latitude - 51.4545) * 111_320,
        (geolocation.longitude + 2.5879) * 111_320 * Math.cos((51.4545 * Math.PI) / 180),
      )
      expect(metres).toBeGreaterThan(10)
      expect(metres).toBeLessThan(200)
    }
    expect(await configurations({})).toEqual([first, second, third])
    expect((await configurations({ name: 'Hall', place: 'North' }))[2]).toMatchObject({
      name: 'Hall 3',
      place: 'North',
    })
    for (const { geolocation } of await configurations({ spread_m: 0 }))
      expect(geolocation).toEqual({ latitude: 51.4545, longitude: -2.5879 })
  })

  it('publishes more than 1,000 agents in numbered parts', async () => {
    const { body } = await spinUp([spec({ num_access_points: 1000 }), spec({ num_access_points: 100 })])
    const parts = await messages(2, body.job_number)
    expect(parts.map(({ data }) => [data.part, data.parts, data.agents.length])).toEqual([
      [1, 2, 1000],
      [2, 2, 100],
    ])
    expect(parts.flatMap(({ data }) => data.agents.map(({ ap_id }) => ap_id))).toEqual(body.agents)
  })

  it('returns the same emulation for the same idempotency key', async () => {
    const key = { 'idempotency-key': uniqueName('emulate-once') }
    const { body } = await spinUp([spec()], key)
    expect((await spinUp([spec()], key)).body).toEqual(body)
    await messages(1, body.job_number)
  })

  it('rejects an emulation above the limit of agents and creates nothing', async () => {
    const [{ now }] = await sql('select now()::text as now')
    const { status, body, headers } = await spinUp([
      spec({ num_access_points: 1000 }),
      spec({ num_access_points: 1000 }),
    ])
    expect(status).toBe(429)
    expect(body.detail).toContain('At most 2000 emulated agents')
    expect(headers.get('retry-after')).toBe('60')
    // Those of earlier emulations may be removed meanwhile.
    expect(await sql('select ap_id from agents where created_at > $1', [now])).toEqual([])
  })

  it('accepts extreme values and limits their cost', async () => {
    const far = await spinUp([spec({ duration: 10 ** 15, num_devices: 10 ** 15 })])
    expect(far.status).toBe(200)
    const [message] = await messages(1, far.body.job_number)
    expect(JSON.stringify(message)).not.toContain('Bristol')
    const locations = Array.from({ length: 2001 }, (_, n) => `${n / 100},0`)
    const { status, body } = await spinUp([spec({ locations })])
    expect([status, body.detail[0].loc]).toEqual([422, ['body', 'emulators']])
  })

  it('names every invalid location', async () => {
    const { status, body } = await spinUp([
      spec(),
      spec({ locations: ['Bristol', 'Nowhere-at-all', '91,0'] }),
    ])
    expect(status).toBe(422)
    expect(body.detail).toEqual(
      [1, 2].map((index) => ({
        loc: ['body', 'emulators', 1, 'locations', index],
        msg: 'Value error, neither coordinates nor a known place',
        type: 'value_error',
      })),
    )
  })
})

describe('an emulator', () => {
  const emulator = '00000000-0000-4000-8000-000000000001'
  const say = (job: string, word: object) =>
    environment.request('POST', `/api/v1/callback/emulator?job_number=${job}`, [word])
  const state = async (job: string) => (await environment.request('GET', `/api/v1/jobs/${job}`)).body

  it('holds a part until it is finished, and then the job gets a summary', async () => {
    const { body } = await spinUp([spec()])
    const job = body.job_number
    const word = { part: 1, emulator, state: 'running', agents: 2, live: 1, most_live: 1, failed: 0 }
    expect((await say(job, word)).body).toMatchObject({
      status: 'success',
      detail: expect.stringContaining('Kept'),
    })
    // The caller gets every report, also one without a change.
    expect((await say(job, word)).body).toMatchObject({ detail: expect.stringContaining('Kept') })
    expect((await state(job)).state).toBe('running')
    const other = { ...word, emulator: emulator.replace(/1$/, '2') }
    expect((await say(job, other)).status).toBe(409)
    expect((await say(job, { ...word, part: 2 })).status).toBe(409)
    await say(job, { ...word, state: 'finished', live: 0, most_live: 2, samples: 40, time_to_full_s: 1.5 })
    await expect.poll(async () => (await state(job)).state, { timeout: 40_000 }).toBe('succeeded')
    const [letter] = await sql(
      `select data, final from mailbox where job_number = $1 order by seq desc limit 1`,
      [job],
    )
    expect(letter.final).toBe(true)
    expect(JSON.parse(letter.data)).toEqual([
      {
        state: 'finished',
        agents: 2,
        live: 2,
        failed: 0,
        samples: 40,
        commands: 0,
        time_to_full_s: 1.5,
        parts: 1,
      },
    ])
    expect((await say(job, word)).status).toBe(409)
  })

  it.for([
    ['before', 'leased_until = now()'],
    ['after', `leased_until = now(), state = 'waiting', emulator = null, offered_at = now()`],
  ])(
    'that takes over a part %s it is offered again adds its samples to those of the previous one',
    async ([, change]) => {
      const { body } = await spinUp([spec()])
      const job = body.job_number
      const word = { part: 1, emulator, state: 'running', agents: 2, live: 2, most_live: 2, failed: 0 }
      await say(job, { ...word, samples: 60, commands: 1 })
      expect((await say(job, { ...word, samples: 100, commands: 1 })).body).toMatchObject({
        detail: expect.stringContaining('Kept'),
      })
      await sql(`update emulation_parts set ${change} where job_number = $1`, [job])
      const other = { ...word, emulator: emulator.replace(/1$/, '2'), live: 1, most_live: 1 }
      expect((await say(job, { ...other, samples: 0, commands: 0 })).status).toBe(200)
      await say(job, { ...other, samples: 30, commands: 0 })
      await say(job, { ...other, state: 'finished', samples: 40, commands: 2 })
      await expect.poll(async () => (await state(job)).state, { timeout: 40_000 }).toBe('succeeded')
      const [{ data }] = await sql(
        'select data from mailbox where job_number = $1 order by seq desc limit 1',
        [job],
      )
      expect(JSON.parse(data)).toMatchObject([{ live: 2, samples: 140, commands: 3 }])
    },
  )

  it('can post data that is no part report, which is passed on unchanged', async () => {
    const { body } = await spinUp([spec()])
    const odd = { emulator: '-'.repeat(36), note: '\u0000\ud800', samples: 'many', live: 1e308 }
    for (const part of [1, 2 ** 31, -1, 0.5, '1'])
      expect((await say(body.job_number, { ...odd, part })).status).toBe(200)
    expect((await say(body.job_number, { ...odd, emulator, part: 2 ** 31 })).status).toBe(200)
    expect((await say(body.job_number, { ...odd, emulator, part: 1, samples: 1e308 })).status).toBe(200)
    expect((await say(body.job_number, { ...odd, emulator, part: 1, samples: 0 })).status).toBe(200)
  })

  it('a part stays with an emulator that reports for longer than one lease', async () => {
    const { body } = await spinUp([spec()])
    const job = body.job_number
    const report = { part: 1, emulator, state: 'running', agents: 2, live: 2, most_live: 2, failed: 0 }
    const status = async (more: object) => (await say(job, { ...report, ...more })).status
    /** More than half of a lease passes. */
    const pass = () =>
      sql(`update emulation_parts set leased_until = leased_until - interval '16 s' where job_number = $1`, [
        job,
      ])
    expect(await status({})).toBe(200)
    await pass()
    expect(await status({ samples: 32 })).toBe(200)
    await pass()
    expect(await status({ emulator: emulator.replace(/1$/, '2') })).toBe(409)
    expect(await status({ samples: 64 })).toBe(200)
  })

  it('that falls silent loses its part, which is offered again', async () => {
    const { body } = await spinUp([spec()])
    await messages(1, body.job_number)
    await say(body.job_number, { part: 1, emulator, state: 'running' })
    await sql(`update emulation_parts set leased_until = now() - interval '1 s' where job_number = $1`, [
      body.job_number,
    ])
    await messages(1, body.job_number)
  })

  it('that never takes the part fails the job with a message that says what to do', async () => {
    const { body } = await spinUp([spec()])
    await expect.poll(async () => (await state(body.job_number)).state, { timeout: 60_000 }).toBe('failed')
    expect((await state(body.job_number)).detail).toBe(
      'No emulator took it in time. Start one: npm run emulator.',
    )
  })

  it('leaves only history: agents are removed some time after the end', async () => {
    const { body } = await spinUp([spec({ duration: 1 })])
    const left = async () =>
      (await sql('select 1 from agents where emulation = $1', [body.job_number])).length
    expect(await left()).toBe(2)
    // Before all others, of which only some go at a time.
    await sql(`update emulations set remove_at = now() - interval '1 h' where job_number = $1`, [
      body.job_number,
    ])
    // They are looked for once a minute, and by a server that has just started.
    const other = await startReplica(environment.variables)
    try {
      await expect.poll(left, { timeout: 70_000, interval: 100 }).toBe(0)
      const forgotten = () => sql('select 1 from emulations where job_number = $1', [body.job_number])
      await expect.poll(forgotten, { timeout: 30_000 }).toEqual([])
    } finally {
      await other.stop()
    }
  }, 120_000)
})
