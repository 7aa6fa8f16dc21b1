import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makePrivateDir, writePrivate } from './accounts.ts'
import { type Engine, type EngineContext, launchCommand } from './engine.ts'
import { accepts, isFree } from './ports.ts'
import { clusterSettings, erlangNameOf, NET_TICK_S } from './rabbitmq-cluster.ts'
import {
  advancedConfig,
  definitions,
  enabledPlugins,
  environmentFile,
  rabbitmqConf,
} from './rabbitmq-config.ts'
import type { SetState } from './state.ts'
import { epmdMarkOf } from './units.ts'

const PORT_MS = 10_000

const filesOf = (dir: string) => ({
  conf: join(dir, 'rabbitmq.conf'),
  advanced: join(dir, 'advanced.config'),
  environment: join(dir, 'rabbitmq-env.conf'),
  plugins: join(dir, 'enabled_plugins'),
  definitions: join(dir, 'definitions.json'),
  ca: join(dir, 'ca.pem'),
  cert: join(dir, 'cert.pem'),
  key: join(dir, 'key.pem'),
  cookie: join(dir, '.erlang.cookie'),
})

async function prepare({ state, cluster, programs, account, dir }: EngineContext): Promise<void> {
  const files = filesOf(dir)
  const more = cluster ? clusterSettings(cluster) : { load_definitions: files.definitions }
  makePrivateDir(dir, account)
  writePrivate(files.conf, rabbitmqConf(state, programs, files, more), account)
  writePrivate(files.advanced, advancedConfig(), account)
  writePrivate(files.environment, environmentFile(), account)
  writePrivate(files.plugins, enabledPlugins(), account)
  writePrivate(files.definitions, JSON.stringify(definitions(state, programs), null, 2), account)
  for (const name of ['ca', 'cert', 'key'] as const)
    if (state.tls) writePrivate(files[name], state.tls[name], account)
  const cookie = cluster?.cluster.erlangCookie ?? randomBytes(24).toString('hex')
  if (!existsSync(files.cookie)) writePrivate(files.cookie, cookie, account, 0o400)
}

function environment({ state, dir, logFile }: EngineContext): Record<string, string> {
  const files = filesOf(dir)
  return {
    ...epmdEnvironment(state),
    RABBITMQ_NODENAME: erlangNameOf(state),
    RABBITMQ_DIST_PORT: String(state.ports.distribution),
    RABBITMQ_CONFIG_FILE: files.conf,
    RABBITMQ_ADVANCED_CONFIG_FILE: files.advanced,
    RABBITMQ_ENABLED_PLUGINS_FILE: files.plugins,
    RABBITMQ_MNESIA_BASE: join(dir, 'mnesia'),
    RABBITMQ_LOG_BASE: dir,
    RABBITMQ_LOGS: logFile,
    // The one of /etc/rabbitmq belongs to the system's own broker.
    RABBITMQ_CONF_ENV_FILE: files.environment,
    // Replaces the shell by the virtual machine, so that signals reach it.
    RUNNING_UNDER_SYSTEMD: 'true',
    ERL_CRASH_DUMP_BYTES: '0',
  }
}

const epmdEnvironment = ({ ports }: SetState) => ({
  ERL_EPMD_PORT: String(ports.epmd),
  ERL_EPMD_ADDRESS: '127.0.0.1',
})

/** After a kill it can be in use for a moment, and a member of a cluster would refuse to start. */
async function waitForPort(port: number): Promise<void> {
  const deadline = performance.now() + PORT_MS
  while (!(await isFree(port)) && performance.now() < deadline) await sleep(50)
}

/**
 * One of our own, in the foreground: Erlang would start a daemon that outlives the set. In a cluster, the first broker
 * starts it for all; those of the others end at once, because the port is taken.
 */
async function launchEpmd(context: EngineContext): Promise<void> {
  const port = context.state.ports.epmd
  if (context.cluster && (await accepts(port))) return
  const epmd = await launchCommand(context, {
    file: context.programs.epmd,
    args: ['-port', String(port), '-address', '127.0.0.1'],
    argv0: `epmd-${epmdMarkOf(context.state, context.cluster)}`,
    env: epmdEnvironment(context.state),
  })
  while (epmd.exitCode === null && !(await accepts(port))) await sleep(20)
}

async function launch(context: EngineContext): Promise<ChildProcess> {
  await launchEpmd(context)
  if (context.cluster) await waitForPort(context.state.ports.distribution)
  // Distribution set up by Erlang itself: the broker would first start two more virtual machines to test for a
  // daemon and for a node of the same name (half a second), and would then listen on every address.
  const port = context.state.ports.distribution
  const listen = `inet_dist_use_interface {127,0,0,1} inet_dist_listen_min ${port} inet_dist_listen_max ${port}`
  const kernel = context.cluster ? `${listen} net_ticktime ${NET_TICK_S}` : listen
  const name = erlangNameOf(context.state)
  const distribution = `-sname ${name} -start_epmd false -kernel ${kernel}`.split(' ')
  return launchCommand(context, {
    file: context.programs.rabbitmqServer,
    args: distribution,
    env: environment(context),
  })
}

export const rabbitmq: Engine = {
  name: 'rabbitmq',
  ports: ['amqp', 'amqps', 'mqtt', 'mqtts', 'management', 'prometheus', 'distribution', 'epmd'],
  stopSignal: 'SIGTERM',
  dropSignal: 'SIGKILL',
  prepare,
  launch,

  async isReady({ state }) {
    // The AMQP listener opens last; asking the others first fills the log with refused log-ins.
    if (!(await accepts(state.ports.amqp)) || !(await accepts(state.ports.mqtt))) return false
    if (state.tls && !(await accepts(state.ports.mqtts))) return false
    const authorization = `Basic ${Buffer.from(`manc:${state.passwords.rabbitmq}`).toString('base64')}`
    const response = await fetch(`http://127.0.0.1:${state.ports.management}/api/whoami`, {
      headers: { authorization },
      signal: AbortSignal.timeout(5_000),
    })
    return response.ok
  },
}
