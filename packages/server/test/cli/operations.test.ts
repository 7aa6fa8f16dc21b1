import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { makePlace, startReplica } from '../harness.ts'
import { type Mailbox, startMailbox } from '../mailbox.ts'
import { operationsOf, servedOperations } from '../sdk/served-operations.ts'
import { CommandLine } from './command-line.ts'
import { RecordingProxy } from './recording-proxy.ts'
import { logIn, openScene, type Scene } from './scene.ts'

let scene: Scene
let mailbox: Mailbox
let proxy: RecordingProxy

beforeAll(async () => {
  mailbox = await startMailbox()
  scene = await openScene({ MANC_SMTP_URL: mailbox.url, MANC_PUBLIC_URL: 'https://manc.example.test' })
  proxy = new RecordingProxy(scene.server.url)
  await logIn(scene.admin, await proxy.open())
}, 60_000)

afterAll(async () => {
  proxy?.close()
  await scene?.close()
  await mailbox?.stop()
})

const password = { input: 'a-password\n' }
const manc = (line: string, given = {}) => scene.admin.must(line.split(' '), given)

it('every operation of the document that is served can be called from the command line, and succeeds', async () => {
  await Promise.all([users(), agents(), apps(), callbacks(), firstAdministrator()])
  await Promise.all([network(), watch()])
  const served = await servedOperations(scene.server.url)
  expect(served.length).toBeGreaterThanOrEqual(41)
  expect(operationsOf(proxy.succeeded, served)).toEqual(served.toSorted())
}, 60_000)

async function users(): Promise<void> {
  await manc('users create one@manc.test --role operator --password-stdin', password)
  await manc('users signup two@manc.test --password-stdin', password)
  await manc('users update one@manc.test --role user')
  await manc('users get one@manc.test')
  await manc('users remove one@manc.test --yes')
  await manc('users list')
  await manc('users me')
  await manc('users recover two@manc.test')
  const token = await mailbox.tokenFor('two@manc.test')
  await manc('users reset --token-stdin --password-stdin', { input: `${token}\nanother-password\n` })
}

/** At a controller that has none yet. */
async function firstAdministrator(): Promise<void> {
  const place = await makePlace(inject('engines'))
  const {
    MANC_BOOTSTRAP_ADMIN_USERNAME: _name,
    MANC_BOOTSTRAP_ADMIN_PASSWORD: _password,
    ...environment
  } = place.environment
  const server = await startReplica(environment)
  const setupToken = /Bearer (setup_[\w-]+)/.exec(server.logged())?.[1] ?? ''
  const before = new RecordingProxy(server.url, proxy.succeeded)
  const line = new CommandLine({ MANC_URL: await before.open() })
  const words = 'admin create first@manc.test --setup-token-stdin --password-stdin'
  await line.must(words.split(' '), { input: `${setupToken}\nfirst-password\n` })
  await line.must('login --username first@manc.test'.split(' '), { input: 'first-password\n' })
  line.close()
  before.close()
  await server.stop()
  await place.drop()
}

async function agents(): Promise<void> {
  const token = (await manc('enrolment create --pattern op-* --uses 5')).trim()
  await manc('agents enrol op-1 --token-stdin', { input: `${token}\n` })
  await manc('agents register op-2')
  await manc('agents update op-2 --configuration {"technology":"WiFi"}')
  await manc('agents get op-2')
  await manc('agents remove op-1 --yes')
  const [{ id }] = await scene.admin.json(['enrolment', 'list'])
  await manc(`enrolment remove ${id} --yes`)
  await manc('agents send-update op-2 clients=3')
  await manc('agents list')
  await manc('agents list --details')
  await manc('agents list --report')
}

async function apps(): Promise<void> {
  await manc('apps register op-app')
  await manc('apps get op-app')
  await manc('apps list')
  await manc('apps update op-app --new-key')
  await manc('apps remove op-app --yes')
  await manc('audit list --actor admin@manc.test --target op-app')
}

async function callbacks(): Promise<void> {
  for (const kind of ['agent_data', 'agent_details', 'emulator'])
    await manc(`callbacks post ${kind} op-mailbox`, { input: '[{}]' })
  await manc('jobs list')
  await manc('jobs get op-mailbox')
}

async function network(): Promise<void> {
  await manc('fleet --once')
  await manc('fleet figures')
  await manc('telemetry metrics op-2')
  await manc('telemetry show op-2')
  await manc('telemetry chart op-2 clients --once')
  await manc('telemetry history op-2 --from 5m')
  await manc('commands send op-2 reboot --no-wait')
  await manc('commands send --agents op-2 reboot --no-wait')
  await manc('emulate --wifi 1 --at Bristol --detach')
}

/** Live samples: one is sent when somebody listens. */
async function watch(): Promise<void> {
  const watching = scene.admin.start(['agents', 'watch', 'op-2', '--json', '--count', '1'])
  while (watching.child.exitCode === null) await manc('agents send-update op-2 clients=4')
  const { code, stdout } = await watching.ended
  expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ agent_id: 'op-2' })])
}
