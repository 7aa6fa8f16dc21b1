/**
 * The previous release and this one on the same engines, under load: every process is replaced by one of this release, and
 * then by one of the previous release again. The last line is one JSON object. Exit code 1: a request failed or a sample was
 * lost. With MANC_QUICK=1 smaller.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  admin,
  call,
  createEnvironment,
  rabbitmqMajor,
  runServerCommand,
  tokenOf,
  type Variables,
} from '@manc/harness'
import {
  createFleet,
  createJobRequests,
  JobCallers,
  sized,
  startLoad,
  summarize,
  waitUntilSettled,
} from '@manc/harness/load'
import { type EngineSet, startSet } from '../../../../tools/engines/index.ts'
import { Deployment, type Release, rollOrder } from './deployment.ts'
import { installPreviousRelease, previousRelease } from './previous-release.ts'
import { SdkCallers } from './sdk-callers.ts'

const size = {
  overMqtt: sized(500, 30),
  overHttp: sized(100, 5),
  sdkCallers: sized(8, 2),
  jobs: { requestsPerSecond: sized(4, 1), mailboxes: sized(50, 4), messageIntervalMs: 5000 },
  pauseMs: sized(15_000, 2000),
}
const metrics = 5

process.exitCode = (await run()) ? 0 : 1

async function run(): Promise<boolean> {
  const previous = installPreviousRelease()
  const folder = mkdtempSync(path.join(tmpdir(), 'manc-upgrade-'))
  const engines = await startSet({ name: 'upgrade', ephemeral: true })
  let deployment: Deployment | undefined
  try {
    const variables = await variablesFor(engines)
    deployment = await Deployment.start(
      {
        variables,
        internalPort: engines.ports.internal,
        mainFiles: { old: previous.mainFile, new: undefined },
      },
      'old',
    )
    const report = await underLoad(engines, variables, folder, deployment)
    const isPassed = Object.values(report.failed).every((count) => count === 0)
    console.log(JSON.stringify({ ...report, passed: isPassed }))
    return isPassed
  } finally {
    await deployment?.stop()
    await engines.down()
    rmSync(folder, { recursive: true, force: true })
    previous.remove()
  }
}

async function variablesFor(engines: EngineSet): Promise<Variables> {
  return {
    ...(await createEnvironment(engines.urls)).variables,
    // Agents connect to the virtual host that the broker boots with.
    MANC_RABBITMQ_URL: engines.urls.rabbitmq,
    MANC_RATE_AGENT_PER_MINUTE: '1000000',
    MANC_RATE_CALLER_PER_MINUTE: '1000000',
    MANC_RATE_ANONYMOUS_PER_MINUTE: '1000000',
  }
}

async function underLoad(engines: EngineSet, variables: Variables, folder: string, deployment: Deployment) {
  const startedAt = Date.now()
  const { url } = deployment
  const fleet = await createFleet(variables, 'load', size.overMqtt + size.overHttp)
  // Not the details of all agents: those of the fleet change while it sends.
  const [, dataRequest] = await createJobRequests(variables)
  const caller = await createCaller(url)
  const token = await tokenOf(url, 'user', caller.username, caller.password)
  const sampleLog = path.join(folder, 'samples')
  const load = startLoad({
    mqttUrl: engines.urls.mqtt,
    httpUrls: [url],
    overMqtt: fleet.slice(0, size.overMqtt),
    overHttp: fleet.slice(size.overMqtt),
    metrics,
    intervalMs: 1000,
    seconds: 1800,
    sampleLog,
  })
  const sdk = new SdkCallers({ url, credentials: caller, callers: size.sdkCallers, pauseMs: 1000 })
  const jobs = new JobCallers({ urls: [url], token, requests: [dataRequest], ...size.jobs })
  try {
    await load.connected
    await jobs.start()
    sdk.start()
    await rollBothWays(deployment, variables)
    await Promise.all([sdk.stop(), jobs.stopRequests()])
    load.stopSending()
    await load.sent
    const healedAt = Date.now()
    await load.done
    while (!jobs.isAllRead && Date.now() < healedAt + 60_000) await sleep(100)
    const samples = await waitUntilSettled({
      urls: engines.urls,
      sampleLog,
      prefix: 'load',
      metrics,
      healedAt,
    })
    return reportOf(sdk, jobs, samples, {
      from: previousRelease.version,
      rabbitmq: await rabbitmqMajor(engines.urls),
      seconds: Math.round((Date.now() - startedAt) / 1000),
    })
  } finally {
    load.kill()
    jobs.close()
  }
}

/** A standard user: it can only read its own jobs. */
async function createCaller(url: string) {
  const caller = { username: 'caller@upgrade.test', password: 'a-password' }
  const token = await tokenOf(url, 'user', admin.username, admin.password)
  const { status } = await call(url, 'POST', '/api/v1/users/', {
    token,
    body: { ...caller, roles: ['admin'] },
  })
  if (status !== 200) throw new Error(`the caller could not be created: ${status}`)
  return caller
}

/** The roles in this order, and then back in the opposite order. */
async function rollBothWays(deployment: Deployment, variables: Variables): Promise<void> {
  await sleep(size.pauseMs)
  const { code, output } = await runServerCommand(['migrate'], variables)
  if (code !== 0) throw new Error(`the migration failed with ${code}:\n${output}`)
  const roll = async (names: typeof rollOrder, release: Release) => {
    for (const name of names) {
      console.log(`${name}: ${release}`)
      await deployment.roll(name, release)
      await sleep(size.pauseMs)
    }
  }
  await roll(rollOrder, 'new')
  await roll(rollOrder.toReversed(), 'old')
}

type Samples = Awaited<ReturnType<typeof waitUntilSettled>>

function reportOf(sdk: SdkCallers, callers: JobCallers, samples: Samples, about: Record<string, unknown>) {
  const jobs = summarize(callers, {})
  return {
    ...about,
    sdk: { requests: sdk.requests, slowest_ms: sdk.slowestMs, failures: sdk.failures.slice(0, 5) },
    jobs: { requested: jobs.requested, ended: jobs.ended_full, reasons: jobs.reasons, retried: jobs.errors },
    mailbox_messages: jobs.messages_posted,
    samples,
    /** All of these are 0 in a run that passes. */
    failed: {
      sdk_requests: sdk.failures.length,
      job_requests: jobs.unanswered,
      jobs: jobs.ended_failed + jobs.stuck + jobs.wrong,
      messages: jobs.messages_lost + jobs.messages_duplicated + jobs.messages_out_of_order,
      samples_lost: samples.lost,
      samples_not_acknowledged: samples.intended - samples.acknowledged,
      samples_duplicated: samples.duplicated + samples.unexpected,
    },
  }
}
