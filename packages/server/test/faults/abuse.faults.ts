import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { admin } from '@manc/harness'
import { isQuick, type LoadProcess, sized, startLoad, waitUntilSettled } from '@manc/harness/load'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AttackerName, AttackOptions } from './abuse/attack.ts'
import { ConnectionLimit } from './abuse/connection-limit.ts'
import { cpuBetween, readCpuTimes } from './abuse/cpu.ts'
import { CpuGroups } from './abuse/cpu-groups.ts'
import { Deployment } from './abuse/deployment.ts'
import { readStored } from './abuse/growth.ts'
import { acknowledgements, type Operation } from './abuse/latencies.ts'
import type { NormalUsers } from './abuse/normal-users.worker.ts'
import { errorsIn, type PhaseRecord, type PhaseReport, reportOn, slowKinds } from './abuse/report.ts'
import { StolenTime } from './abuse/stolen-time.ts'
import { WorkerProcess } from './abuse/worker-process.ts'

const size = { agents: 300, users: 20 }
const metrics = 5
/** Of each attack, and of the time without one. */
const attackS = Number(process.env['MANC_ABUSE_SECONDS'] ?? (isQuick ? 8 : 600))
/** Just below the rate limit of one caller on one replica. More is refused at little cost. */
const attacksPerSecond = 450
/** A p99 of a few milliseconds doubles by itself. The quick form has few operations: there the p99 is the maximum of 15. */
const toleranceMs = isQuick ? 5000 : 250
/**
 * Of the database in one phase. The largest parts that the limits of an app permit: 640 MiB of unread results, and 50,000
 * commands an hour on each of two replicas with about 5 KiB each.
 */
const maxGrowthKiB = sized(1536, 400) * 1024
/** The quick form needs no root. */
const hasFirewall = !isQuick && process.env['MANC_ABUSE_FIREWALL'] !== 'no'
const attackers: AttackerName[] = ['account', 'app', 'agent', 'anonymous']
/** Each after the time without an attacker: one attacker, or all at once. */
const phases = (process.env['MANC_ABUSE_PHASES'] ?? [...attackers, 'all'].join(',')).split(',')

let deployment: Deployment
let firewall: ConnectionLimit | undefined
/** Without them each process has a session of its own, and with it an equal part of the CPU. */
let groups: CpuGroups | undefined
let load: LoadProcess
let users: WorkerProcess<Operation[]>
const attacking = new Set<WorkerProcess<Record<string, number>>>()

beforeAll(async () => {
  deployment = await Deployment.start(size)
  if (hasFirewall) firewall = new ConnectionLimit(deployment.engines.urls.mqtt)
  if (!isQuick && CpuGroups.areAvailable) {
    groups = new CpuGroups()
    deployment.addTo(groups)
  }
  console.log(`CPU: ${groups ? 'the weights of deploy/compose/compose.yaml' : 'equal for each process'}`)
})

afterAll(async () => {
  load?.kill()
  users?.kill()
  for (const each of attacking) each.kill()
  firewall?.remove()
  try {
    await deployment?.stop()
  } finally {
    groups?.remove()
  }
})

function startNormalCallers(sampleLog: string): void {
  const { engines, urls, fleet, commanded } = deployment
  load = startLoad({
    mqttUrl: engines.urls.mqtt,
    httpUrls: urls,
    overMqtt: fleet,
    metrics,
    intervalMs: 1000,
    seconds: 24 * 3600,
    sampleLog,
  })
  const options: NormalUsers = {
    urls,
    mqttUrl: engines.urls.mqtt,
    users: deployment.users,
    watched: fleet.map(({ apId }) => apId),
    commanded,
    intervalMs: 1000,
  }
  users = new WorkerProcess<Operation[]>('normal-users.worker.ts', options)
  groups?.addCaller('agents', load.pid)
  groups?.addCaller('users', users.pid)
}

function startAttack(name: AttackerName): WorkerProcess<Record<string, number>> {
  const options: AttackOptions = {
    name,
    urls: deployment.urls,
    mqttUrl: deployment.engines.urls.mqtt,
    address: `127.0.0.${10 + attackers.indexOf(name)}`,
    perSecond: attacksPerSecond,
    ...(deployment.attackers.get(name) ?? { username: '', password: '', token: '' }),
    agent: deployment.attackingAgent,
    others: deployment.fleet.map(({ apId }) => apId),
    administrator: admin.username,
  }
  const attack = new WorkerProcess<Record<string, number>>('attacker.worker.ts', options)
  attacking.add(attack)
  groups?.addAttacker(name, attack.pid)
  return attack
}

/** Without attackers it is the baseline. */
async function runPhase(name: string, names: readonly AttackerName[]): Promise<PhaseRecord> {
  const { databaseUrl, engines } = deployment
  const startedAt = Date.now()
  const before = await readStored(databaseUrl, engines.urls)
  const attacks = names.map((each) => startAttack(each))
  await Promise.all(attacks.map(({ ready }) => ready))
  const servers = new Map([...deployment.servers].map(([server, { pid }]) => [pid, server]))
  const cpuBefore = readCpuTimes(servers)
  const from = Date.now()
  await sleep(attackS * 1000)
  const phase = { name, from, to: Date.now() }
  const cpu = cpuBetween(cpuBefore, readCpuTimes(servers), attackS)
  const outcomes = await Promise.all(attacks.map((each) => each.stop()))
  attacking.clear()
  const after = await readStored(databaseUrl, engines.urls)
  const dropped = firewall ? `, ${firewall.dropped()} connections dropped so far` : ''
  console.log(`${name}: ${Math.round((Date.now() - startedAt) / 1000)} s${dropped}`)
  return { phase, attacks: Object.assign({}, ...outcomes), before, after, cpu }
}

describe(`while an account, an app, an agent and an address do their worst for ${attackS} s each, and all at once`, () => {
  let baseline: PhaseReport
  let attacked: PhaseReport[]
  let pids: number[]
  let settled: Awaited<ReturnType<typeof waitUntilSettled>>

  beforeAll(
    async () => {
      pids = [...deployment.servers.values()].map(({ pid }) => pid)
      const sampleLog = path.join(deployment.folder, 'samples')
      const stolen = new StolenTime()
      startNormalCallers(sampleLog)
      await Promise.all([load.connected, users.ready])
      // Caches fill, and code is compiled.
      await sleep(isQuick ? 3000 : 15_000)
      const records = [await runPhase('baseline', [])]
      for (const phase of phases) {
        const named = attackers.filter((name) => name === phase || phase === 'all')
        if (named.length === 0)
          throw new Error(`MANC_ABUSE_PHASES: ${phase} is none of ${attackers.join(', ')}, all`)
        records.push(await runPhase(phase, named))
      }
      load.stopSending()
      const operations = await users.stop()
      await load.done
      const { urls } = deployment.engines
      settled = await waitUntilSettled({ urls, sampleLog, prefix: 'load', metrics, healedAt: Date.now() })
      const all = [...operations, ...(await acknowledgements(sampleLog))]
      stolen.stop()
      const isDisturbed = ({ startedAt, ms }: Operation) => stolen.overlaps(startedAt, startedAt + ms)
      const reports = records.map((record) => reportOn(record, all, isDisturbed))
      // The report is what this suite is run for.
      for (const report of reports) console.log(JSON.stringify(report))
      ;[baseline, ...attacked] = reports as [PhaseReport, ...PhaseReport[]]
    },
    (6 * attackS + 300) * 1000,
  )

  it(`the p99 of ${size.agents} agents and ${size.users} users at most doubles, or grows by ${toleranceMs} ms`, () => {
    expect(attacked.flatMap((report) => slowKinds(report, baseline, toleranceMs))).toEqual([])
  })

  it('without an attacker no request fails: the machine can do the normal work', () => {
    expect(baseline.failures).toEqual({})
  })

  it('no request of a user fails', () => {
    expect(attacked.map(({ phase, failures }) => [phase, failures])).toEqual(
      phases.map((phase) => [phase, {}]),
    )
  })

  it('no acknowledged sample is lost', () => {
    console.log(JSON.stringify(settled))
    expect(settled).toMatchObject({ lost: 0, duplicated: 0, unexpected: 0 })
    expect(settled.acknowledged).toBeGreaterThan(settled.intended * 0.99)
  })

  it('no process ends, restarts or reports an internal error', () => {
    for (const [name, server] of deployment.servers) {
      const { process } = server
      const log = server.output()
      const errors = errorsIn(log)
      expect(process.exitCode ?? process.signalCode, `end of ${name}`).toBeNull()
      console.log(name, JSON.stringify({ log_kib: Math.round(log.length / 1024), errors }))
      const internal = Object.keys(errors).filter((error) => error !== 'request 503')
      expect(internal, `errors of ${name}`).toEqual([])
    }
    expect([...deployment.servers.values()].map(({ pid }) => pid)).toEqual(pids)
  })

  it(`the database grows by less than ${maxGrowthKiB / 1024} MiB in each attack`, () => {
    for (const { phase, growth } of attacked)
      expect(growth.database_kib, `KiB during ${phase}`).toBeLessThan(maxGrowthKiB)
  })

  it('every attacker has attacked', () => {
    for (const { phase, attacks } of attacked)
      expect(attacks, `attacks of ${phase}`).toBeGreaterThan(5 * attackS)
  })
})
