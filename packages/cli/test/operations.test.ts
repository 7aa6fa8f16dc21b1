import { randomUUID } from 'node:crypto'
import { createEnvironment, startReplica, uniqueName } from '@manc/harness'
import { type MailInbox, startMailInbox } from '@manc/harness/mail-inbox'
import { operationsOf, servedOperations } from '@manc/harness/served-operations'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { resources } from '../src/generated/resources.ts'
import { CommandLine } from './command-line.ts'
import { CliEnvironment, logIn } from './environment.ts'
import { RecordingProxy } from './recording-proxy.ts'

let environment: CliEnvironment
let mailbox: MailInbox
let proxy: RecordingProxy

beforeAll(async () => {
  mailbox = await startMailInbox()
  environment = await CliEnvironment.open({
    MANC_SMTP_URL: mailbox.url,
    MANC_SIGNUP: 'confirmed',
    MANC_PUBLIC_URL: 'https://manc.example.test',
  })
  proxy = new RecordingProxy(environment.url)
  await logIn(environment.admin, await proxy.open())
})

afterAll(async () => {
  proxy?.close()
  await environment?.drop()
  await mailbox?.stop()
})

const password = { input: 'a-password\n' }
const manc = (line: string, given = {}) => environment.admin.must(line.split(' '), given)

it('every operation of the served OpenAPI document has a command that succeeds', async () => {
  proxy.succeeded.clear()
  const apId = uniqueName('op')
  await Promise.all([
    users(),
    agents(apId),
    apps(),
    events(),
    callbacks(),
    generatedLists(),
    firstAdministrator(),
  ])
  await Promise.all([
    network(apId),
    watch(apId),
    alarms(apId),
    decisions(apId),
    experiments(apId),
    notifications(),
  ])
  const served = await servedOperations(environment.url)
  expect(served.length).toBeGreaterThanOrEqual(41)
  expect(operationsOf(proxy.succeeded, served)).toEqual(served.toSorted())
}, 400_000)

async function users(): Promise<void> {
  const [one, two] = [`${uniqueName('one')}@manc.test`, `${uniqueName('two')}@manc.test`]
  await manc(`users create ${one} --role operator --password-stdin`, password)
  await manc(`users signup ${two} --password-stdin`, password)
  const confirmation = await mailbox.confirmationTokenFor(two)
  await manc('users confirm --token-stdin --password-stdin', { input: `${confirmation}\n${password.input}` })
  await manc(`users update ${one} --role user`)
  await manc(`users get ${one}`)
  await manc(`users remove ${one} --yes`)
  await manc('users me')
  await manc(`users recover ${two}`)
  const token = await mailbox.resetTokenFor(two, 1)
  await manc('users reset --token-stdin --password-stdin', { input: `${token}\nanother-password\n` })
}

/** At a controller without an administrator. */
async function firstAdministrator(): Promise<void> {
  const empty = await createEnvironment(inject('engines'))
  const {
    MANC_BOOTSTRAP_ADMIN_USERNAME: _name,
    MANC_BOOTSTRAP_ADMIN_PASSWORD: _password,
    ...variables
  } = empty.variables
  const server = await startReplica(variables)
  const setupToken = /Bearer (setup_[\w-]+)/.exec(server.logged())?.[1] ?? ''
  const before = new RecordingProxy(server.url, proxy.succeeded)
  const line = new CommandLine({ MANC_URL: await before.open() })
  const words = 'admin create first@manc.test --setup-token-stdin --password-stdin'
  await line.must(words.split(' '), { input: `${setupToken}\nfirst-password\n` })
  await line.must('login --username first@manc.test'.split(' '), { input: 'first-password\n' })
  await line.must(['login', '--renew'])
  await line.must(['logout'])
  line.close()
  before.close()
  await server.stop()
  await empty.drop()
}

async function agents(apId: string): Promise<void> {
  const enrolled = uniqueName('enrolled')
  const token = (await manc('enrolment create --pattern enrolled-* --uses 5')).trim()
  await manc(`agents enrol ${enrolled} --token-stdin`, { input: `${token}\n` })
  // With this interval it stays online for the whole test.
  await manc(`agents register ${apId} --interval 1h`)
  await manc(`agents update ${apId} --configuration {"technology":"WiFi"}`)
  await manc(`agents get ${apId}`)
  await manc(`agents rejections ${apId}`)
  await manc(`agents configurations ${apId}`)
  await manc(`agents configuration ${apId} 1`)
  await manc(`agents restore ${apId} 1`)
  await manc(`agents remove ${enrolled} --yes`)
  const [{ id }] = await environment.admin.json(['enrolment', 'list'])
  await manc(`enrolment remove ${id} --yes`)
  await manc(`agents send-update ${apId} clients=3`)
  await manc('agents list')
  await manc('agents list --details')
  await manc('agents list --report')
}

async function events(): Promise<void> {
  await manc('events --since 1h')
  await manc('events --since 1h --export')
}

async function notifications(): Promise<void> {
  const given = `{"name":"${uniqueName('hook')}","type":"webhook","url":"https://hooks.cli.test/"}`
  const { id } = await environment.admin.json(['notifications', 'create-receiver', given])
  await manc('notifications receivers')
  await manc(`notifications update-receiver ${id} ${given}`)
  await manc(`notifications rotate-secret ${id} --yes`)
  const { id: delivery } = await environment.admin.json(['notifications', 'test', id])
  await environment.sql(
    `update notification_deliveries set status = 'failed', next_attempt_at = null where id = $1`,
    [delivery],
  )
  await manc('notifications deliveries')
  await manc(`notifications delivery ${delivery}`)
  await manc(`notifications retry ${delivery}`)
  const route = JSON.stringify({ name: uniqueName('all'), receiver_id: id })
  const created = await environment.admin.json(['notifications', 'create-route', route])
  await manc('notifications routes')
  await manc(`notifications update-route ${created.id} ${route}`)
  await manc(`notifications remove-route ${created.id} --yes`)
  await manc(`notifications remove-receiver ${id} --yes`)
}

async function alarms(apId: string): Promise<void> {
  const [{ id }] = await environment.sql(
    `insert into alarms (rule_id, rule_name, severity, metric, ap_id, technology)
     values ('load_pct.bad', 'Load is bad', 'critical', 'load_pct', $1, 'WiFi') returning id::text as id`,
    [apId],
  )
  await manc('alarms summary')
  await manc(`alarms show ${id}`)
  await manc(`alarms ack ${id}`)
  await manc(`alarms ack ${id} ${id}0`)
  await manc(`alarms assign ${id}`)
  await manc('alarms rules')
  const value = { metric: 'clients', raise_op: '>=', raise_threshold: 1 }
  await manc(`alarms preview-rule ${JSON.stringify({ name: apId, severity: 'info', ...value })}`)
  const rule = JSON.stringify({ name: apId, severity: 'info', metric: 'presence' })
  const created = await environment.admin.json(['alarms', 'create-rule', rule])
  await manc(`alarms update-rule ${created.id} ${rule}`)
  await manc(`alarms remove-rule ${created.id} --yes`)
  const silence = await environment.admin.json(
    `alarms silence --ap ${apId} --for 2h --comment works`.split(' '),
  )
  await manc('alarms silences')
  await manc(`alarms update-silence ${silence.id} --for 3h`)
  await manc(`alarms unsilence ${silence.id}`)
}

async function decisions(apId: string): Promise<void> {
  const decision = JSON.stringify({
    policy: 'balance',
    mode: 'advise',
    reason: 'busy',
    expected: [{ ap_id: apId, kpi: 'load_pct', from: 90, to: 60 }],
    commands: [{ ap_id: apId, command: 'reboot' }],
  })
  const create = async () => (await environment.admin.json(['decisions', 'create', decision])).id
  const first = await create()
  await manc(`decisions show ${first}`)
  await manc(`decisions reject ${first}`)
  await manc(`decisions confirm ${await create()}`)
  await manc('decisions export --since 1h')
}

async function experiments(apId: string): Promise<void> {
  const experiment = {
    name: uniqueName('op-experiment'),
    world: { access_points: [{ technology: 'WiFi', count: 1, clients: 1 }] },
    policies: ['none'],
    repetitions: 1,
  }
  const input = JSON.stringify(experiment)
  const { id } = await environment.admin.json(['experiments', 'run', '-', '--detach'], { input })
  const [run] = await environment.sql('select id from experiment_runs where experiment_id = $1', [id])
  const report = { run_id: run.id, emulator: randomUUID(), state: 'started' }
  await environment.admin.must(['callbacks', 'run', JSON.stringify(report)])
  await manc(`experiments show ${id}`)
  await manc(`experiments show-run ${id} 1`)
  await manc(`experiments export ${id} --series`)
  await manc(`experiments cancel ${id}`)
  await manc(`experiments remove ${id} --yes`)
  await environment.sql(
    `update fleet set state = 'online', technology = 'WiFi', latitude = 51, longitude = -2 where ap_id = $1`,
    [apId],
  )
  await manc(`experiments what-if {"agents":["${apId}"],"policy":"dawn"} --detach`)
}

async function apps(): Promise<void> {
  const app = uniqueName('op-app')
  await manc(`apps register ${app}`)
  await manc(`apps get ${app}`)
  await manc(`apps update ${app} --new-key`)
  await manc(`apps remove ${app} --yes`)
  await manc(`audit list --actor admin@manc.test --target ${app}`)
  await manc(`audit export --actor admin@manc.test --target ${app}`)
}

/** Those that the contract declares: a new list needs no line here. */
async function generatedLists(): Promise<void> {
  for (const resource of Object.keys(resources)) await manc(`${resource} list`)
}

async function callbacks(): Promise<void> {
  const box = uniqueName('op-mailbox')
  for (const kind of ['agent_data', 'agent_details', 'emulator'])
    await manc(`callbacks post ${kind} ${box}`, { input: '[{}]' })
  await manc('jobs list')
  await manc(`jobs get ${box}`)
  await manc(`jobs results ${box}`)
}

async function network(apId: string): Promise<void> {
  await manc('fleet --once')
  await manc('fleet figures')
  await manc('fleet changes')
  await manc('fleet table --sort clients')
  const view = await environment.admin.json(['views', 'save', uniqueName('broken'), '--health', 'bad'])
  await manc(`views show ${view.id}`)
  await manc(`views update ${view.id} --sort load_pct`)
  await manc(`views remove ${view.id} --yes`)
  await manc('fleet trends')
  const client = uniqueName('client')
  await environment.sql(
    `insert into clients (id, ap_id, is_attached, technology, since, claimed_at)
     values ($1, $2, true, 'WiFi', now(), now())`,
    [client, apId],
  )
  await manc(`clients show ${client}`)
  await manc(`clients history ${client}`)
  await manc(`clients of ${apId}`)
  await manc('fleet map')
  await manc('fleet cells')
  await manc('health')
  await manc(`telemetry metrics ${apId}`)
  await manc(`telemetry show ${apId}`)
  await manc(`telemetry chart ${apId} clients --once`)
  await manc(`telemetry chart ${apId} clients --from 5m`)
  await manc('telemetry summary WiFi clients --from 5m')
  await manc(`telemetry history ${apId} --from 5m`)
  const command = (await manc(`commands send ${apId} reboot --no-wait`)).trim()
  await manc(`jobs cancel ${command}`)
  await manc(`commands send --agents ${apId} reboot --no-wait`)
  const change = `--agents ${apId} --change {"floor":2}`
  await manc(`rollouts preview ${change}`)
  const rollout = await environment.admin.json(`rollouts start ${change} --wait 3600 --yes`.split(' '))
  await manc(`rollouts show ${rollout.id}`)
  await manc(`rollouts pause ${rollout.id}`)
  await manc(`rollouts resume ${rollout.id}`)
  await manc(`rollouts undo ${rollout.id}`)
  await manc('emulate --wifi 1 --at Bristol --detach')
  const [{ job_number: emulation }] = await environment.admin.json(['emulations', 'list'])
  await manc(`emulations stop ${emulation} --yes`)
}

/** Live samples: sends until the watching command has received one. */
async function watch(apId: string): Promise<void> {
  const watching = environment.admin.start(['agents', 'watch', apId, '--json', '--count', '1'])
  try {
    while (watching.child.exitCode === null) await manc(`agents send-update ${apId} clients=4`)
    const { code, stdout } = await watching.ended
    expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ agent_id: apId })])
  } finally {
    watching.child.kill('SIGKILL')
  }
}
