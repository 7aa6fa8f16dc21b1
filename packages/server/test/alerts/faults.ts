import { setTimeout as sleep } from 'node:timers/promises'
import { agentTopic } from '@manc/contract'
import { admin, call, logIn, sqlAt } from '@manc/harness'
import { connect, connectAsync } from 'mqtt'
import pg from 'pg'
import type { EngineName } from '../../../../tools/engines/index.ts'
import type { Installation } from './installation.ts'
import type { FiringAlert } from './monitoring.ts'
import type { Syslog } from './syslog.ts'

/** A fault and the alerts that it must fire. */
export interface Fault {
  what: string
  alerts: FiringAlert[]
  start(): Promise<void>
  heal(): Promise<void>
}

const alert = (name: string, labels: Record<string, string> = {}): FiringAlert => ({ name, labels })

/** A job with an empty result. */
const smallJob =
  '/api/v1/agent_data/request_agent_data?agent_id=sending-0&start_time=2026-01-01T00:00:00Z&end_time=2026-01-01T00:01:00Z'

/** Repeats until it is stopped, with a number of loops at the same time. Errors are what the faults are about. */
export function repeat(loops: number, pauseMs: number, work: () => Promise<unknown>): () => Promise<void> {
  const stopping = new AbortController()
  const running = Array.from({ length: loops }, async () => {
    while (!stopping.signal.aborted) {
      await work().catch(() => {})
      await sleep(pauseMs)
    }
  })
  return async () => {
    stopping.abort()
    await Promise.all(running)
  }
}

/** The parts of a fault that repeats its work until it is healed. */
function repeating(
  loops: number,
  pauseMs: number,
  work: () => Promise<unknown>,
): Pick<Fault, 'start' | 'heal'> {
  let stop = async () => {}
  return {
    start: async () => {
      stop = repeat(loops, pauseMs, work)
    },
    heal: () => stop(),
  }
}

export function createFaults(installation: Installation, token: string) {
  const { engines } = installation
  const requestJob = async (route: string) => {
    const { status, body } = await call(installation.url('api1'), 'POST', route, { token })
    if (status >= 400) throw new Error(`${route}: ${status} ${JSON.stringify(body)}`)
  }

  const killedEngine = (engine: EngineName, what: string, alerts: FiringAlert[]): Fault => ({
    what,
    alerts,
    start: () => engines.kill(engine),
    heal: () => engines.start(engine),
  })

  return {
    /** An agent connects again and again while PostgreSQL is down. Other requests are sent all the time. */
    killedPostgres(): Fault {
      const alerts = [
        alert('MancEngineDown', { engine: 'postgres' }),
        alert('MancRequestsFail'),
        alert('MancBrokerAuthUnavailable'),
      ]
      const killed = killedEngine('postgres', 'PostgreSQL killed', alerts)
      let disconnect = async () => {}
      return {
        ...killed,
        start: async () => {
          const [agent] = await installation.createAgents('returning', 1)
          await killed.start()
          const client = connect(engines.urls.mqtt, {
            clientId: agent?.apId ?? '',
            username: agent?.apId ?? '',
            password: agent?.password ?? '',
            protocolVersion: 4,
            reconnectPeriod: 500,
            reconnectOnConnackError: true,
          })
          client.on('error', () => {})
          disconnect = () => client.endAsync(true)
        },
        heal: async () => {
          await killed.heal()
          await disconnect()
        },
      }
    },

    /** Jobs are requested meanwhile. */
    killedRabbitMq(): Fault {
      const alerts = [alert('MancEngineDown', { engine: 'rabbitmq' }), alert('MancOutboxStuck')]
      const killed = killedEngine('rabbitmq', 'RabbitMQ killed', alerts)
      return {
        ...killed,
        start: async () => {
          await killed.start()
          await requestJob(smallJob)
        },
      }
    },

    /** An agent sends a large backlog meanwhile. */
    killedVictoria(): Fault {
      const alerts = [
        alert('MancEngineDown', { engine: 'victoriametrics' }),
        alert('MancTelemetryWritesFail'),
        alert('MancTelemetryPaused'),
      ]
      const killed = killedEngine('victoria', 'VictoriaMetrics killed', alerts)
      return {
        ...killed,
        start: async () => {
          await killed.start()
          await sendBacklog()
        },
      }
    },

    /** Each stop is longer than the threshold of the rule; in between there is time for the batches that wait. */
    slowVictoria: (): Fault => ({
      what: 'VictoriaMetrics stopped for 7 of every 7.5 s',
      alerts: [alert('MancTelemetryLag')],
      ...repeating(1, 500, async () => {
        await engines.pause('victoria')
        await sleep(7000)
        await engines.resume('victoria')
      }),
    }),

    /** Each lock ends before the statements that wait for it time out. */
    blockedTable: (): Fault => {
      const reads = (['api1', 'api2'] as const).map((name) =>
        repeating(30, 0, () => call(installation.url(name), 'GET', '/api/v1/audit?limit=1', { token })),
      )
      const locks = repeating(1, 0, () =>
        sqlAt(
          installation.databaseUrl,
          `do $$ begin lock table audit in access exclusive mode; perform pg_sleep(1.2); end $$`,
        ),
      )
      const parts = [locks, ...reads]
      return {
        what: 'a table of PostgreSQL locked for 1.2 s at a time',
        alerts: [alert('MancDatabaseConnectionsShort'), alert('MancRequestsSlow')],
        start: async () => {
          for (const part of parts) await part.start()
        },
        heal: async () => {
          await Promise.all(parts.map((part) => part.heal()))
        },
      }
    },

    /** Subscribers post their results to it. */
    killedApi: (restartSettings: Record<string, string>): Fault => ({
      what: 'the api killed to which subscribers post results, 600 jobs requested',
      alerts: [alert('MancProcessDown', { instance: 'api2' }), alert('MancJobsQueued')],
      start: async () => {
        await installation.stopProcess('api2', 'SIGKILL')
        for (let n = 0; n < 30; n++) await Promise.all(Array.from({ length: 20 }, () => requestJob(smallJob)))
      },
      heal: () => installation.startProcess('api2', restartSettings),
    }),

    killedIngesters: (): Fault => ({
      what: 'all ingesters killed',
      alerts: [
        alert('MancRoleMissing', { role: 'ingester' }),
        alert('MancProcessDown', { instance: 'ingester1' }),
        alert('MancProcessDown', { instance: 'ingester2' }),
      ],
      start: async () => {
        for (const name of ['ingester1', 'ingester2'] as const)
          await installation.stopProcess(name, 'SIGKILL')
      },
      heal: async () => {
        for (const name of ['ingester1', 'ingester2'] as const) await installation.startProcess(name)
      },
    }),

    /** As with a CPU quota that is too small. */
    throttledProcess: (): Fault => ({
      what: 'a process stopped for 300 of every 450 ms',
      alerts: [alert('MancEventLoopBlocked', { instance: 'subscriber2' })],
      ...repeating(1, 150, async () => {
        installation.signal('subscriber2', 'SIGSTOP')
        await sleep(300)
        installation.signal('subscriber2', 'SIGCONT')
      }),
    }),

    /** An alarm is raised meanwhile. The lock permits reads. */
    lockedNotifications: (): Fault => {
      const lock = new pg.Client({ connectionString: installation.databaseUrl })
      return {
        what: 'the table of the groups of notifications locked',
        alerts: [alert('MancNotificationsStuck', { queue: 'changes' })],
        start: async () => {
          await lock.connect()
          await lock.query('begin; lock table notification_groups in exclusive mode')
          await raiseAlarm()
        },
        heal: () => lock.end(),
      }
    },

    /** It is over when the message is older than the period of the rule. */
    invalidSample: (): Fault => ({
      what: 'one message that is no JSON',
      alerts: [alert('MancDeadLetters')],
      start: () => send('broken', 'no JSON'),
      heal: async () => {},
    }),

    /** Entries that are written meanwhile wait. */
    stoppedSyslog: (syslog: Syslog): Fault => ({
      what: 'the syslog server stopped',
      alerts: [alert('MancAuditExportStuck')],
      start: async () => {
        await syslog.stop()
        const app = { app_name: 'audited', api_key: 'k', permissions: {} }
        const url = installation.url('api1')
        await call(url, 'POST', '/api/v1/third_party_apps/', { token, body: app })
      },
      heal: () => syslog.start(),
    }),

    /** The setting is raised as the runbook describes. */
    fullMailboxes: (route: string, restartSettings: Record<string, string>): Fault => ({
      what: '40 large results that are not read',
      alerts: [alert('MancMailboxesFull')],
      start: async () => {
        for (let n = 0; n < 40; n++) await requestJob(route)
        // Before another fault stops the processes that store the results.
        while ((await metric('manc_mailbox_bytes')) < (await metric('manc_mailbox_bytes_limit')))
          await sleep(250)
      },
      heal: async () => {
        await installation.stopProcess('api1', 'SIGTERM')
        await installation.startProcess('api1', restartSettings)
      },
    }),

    /** As many as are accepted: further logins would be refused. */
    manyLogins: async (): Promise<Fault> => {
      const limit = await metric('manc_password_hashes_limit')
      return {
        what: `${limit * 0.95} logins at a time`,
        alerts: [alert('MancLoginsQueued', { instance: 'api1' })],
        ...repeating(limit * 0.95, 0, () =>
          logIn(installation.url('api1'), 'user', admin.username, admin.password),
        ),
      }
    },
  }

  /** Of an agent that sends, as vmalert does. */
  async function raiseAlarm(): Promise<void> {
    const rule = { name: 'clients', severity: 'info', metric: 'clients', raise_op: '>=', raise_threshold: 1 }
    const created = await call(installation.url('api1'), 'POST', '/api/v1/alarm_rules', { token, body: rule })
    const labels = { rule_id: created.body.id, revision: '1', ap_id: 'sending-0' }
    const { status } = await call(installation.internalUrl('api1'), 'POST', '/api/v2/alerts', {
      body: [{ labels, annotations: { value: '1' } }],
    })
    if (status !== 200) throw new Error(`the alert was answered with ${status}`)
  }

  /** Of api1, without labels. */
  async function metric(name: string): Promise<number> {
    const { body } = await call(installation.internalUrl('api1'), 'GET', '/metrics')
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(String(body))?.[1])
  }

  /** 10 messages of about 400 kB, of an agent that buffered its samples. */
  async function sendBacklog(): Promise<void> {
    const now = Date.now()
    const payload = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`metric_${n}`, n]))
    for (let message = 0; message < 10; message++) {
      const samples = Array.from({ length: 500 }, (_, n) => ({ ts: now - message * 500 - n, payload }))
      await send('backlog', JSON.stringify({ samples }))
    }
  }

  async function send(prefix: string, message: string): Promise<void> {
    const [agent] = await installation.createAgents(`${prefix}-${Math.random().toString(36).slice(2)}`, 1)
    if (!agent) throw new Error('no agent was created')
    const client = await connectAsync(engines.urls.mqtt, {
      clientId: agent.apId,
      username: agent.apId,
      password: agent.token,
      protocolVersion: 4,
    })
    await client.publishAsync(agentTopic(agent.apId, 'data'), message, { qos: 1 })
    await client.endAsync()
  }
}
