/**
 * `npm run test:kubernetes:play`: runs the pods of the small chart with `podman kube play`, against engines in containers
 * with the configuration of engines/small; then conformance and MQTT over TLS. Needs root, podman, and the images of
 * `npm run test:deploy`. The last line is one JSON object with the figures.
 */

import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { stringify } from 'yaml'
import { configurePodman } from '../../deploy/podman-configuration.ts'
import { type Container, type Workload, workloads } from '../pods.ts'
import { chartFile, helmResources, type Resource } from '../render.ts'
import { checkAgent } from './agent.ts'
import { engineImages, startEngines } from './engines.ts'
import { podman, requireImage } from './podman.ts'
import { Secrets } from './secrets.ts'

const { version } = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../../../package.json'), 'utf8'),
) as { version: string }
const { values } = parseArgs({
  options: { image: { type: 'string', default: `localhost/manc-test/manc-server:${version}` } },
})
const maxWaitMs = 180_000
const network = `manc-play-${process.pid}`
const admin = { username: 'admin@manc.local', password: randomBytes(12).toString('hex') }
/** The names of the Services that select the pods. */
const services: Record<string, string[]> = { 'manc-api': ['manc-api', 'manc-internal'] }

const figures: Record<string, unknown> = {}
const played: string[] = []
configurePodman()
const folder = mkdtempSync(path.join(tmpdir(), `${network}-`))
const secrets = new Secrets()
try {
  await check()
  figures['ok'] = true
} catch (error) {
  console.error(error)
  for (const name of podman(['ps', '-a', '--format', '{{.Names}}', '--filter', `network=${network}`]).split(
    '\n',
  ))
    if (name) console.error(name, spawnSync('podman', ['logs', '--tail', '20', name], { encoding: 'utf8' }))
  figures['ok'] = false
  figures['error'] = (error as Error).message
  process.exitCode = 1
} finally {
  remove()
}
console.log(JSON.stringify(figures))
process.exit()

async function check(): Promise<void> {
  for (const image of [values.image, ...engineImages]) requireImage(image)
  const startedAt = Date.now()
  podman(['network', 'create', network])
  const mqttPort = startEngines({ network, folder, secrets })
  const [repository, tag] = values.image.split(/:(?=[^:/]+$)/)
  const resources = helmResources(
    '--values',
    chartFile('values-small.yaml'),
    '--set',
    'migration.hook=false',
    // Its image is in a registry.
    '--set',
    'vmalert.enabled=false',
    '--set',
    `image.repository=${repository}`,
    '--set-string',
    `image.tag=${tag}`,
    // The interface lets anyone sign up, and gives rights to apps without permissions. The chart has stricter settings.
    '--set',
    'settings.MANC_SIGNUP=open,settings.MANC_APP_DEFAULT=interface',
  )
  const pods = workloads(resources)
  const [first] = pods
  if (!first) throw new Error('The chart has no pods.')
  secrets.createVolumes(first)
  for (const workload of pods) play(workload, resources)

  const addresses = Object.fromEntries(
    pods.filter(({ kind }) => kind === 'Deployment').map((each) => [each.name, addressOf(each.name)]),
  )
  for (const [name, address] of Object.entries(addresses))
    await until(`${name} is ready`, async () => (await fetch(`http://${address}:8081/readyz`)).status === 200)
  const url = `http://${addresses['manc-api']}:8080`
  await until('all engines are up', async () => {
    const { engines } = (await (await fetch(`${url}/readyz`)).json()) as { engines: Record<string, string> }
    return Object.values(engines).every((state) => state === 'up')
  })
  figures['ready_after_s'] = Math.round((Date.now() - startedAt) / 100) / 10
  figures['pods'] = pods.map(({ name }) => name)

  podman(
    ['exec', '-i', containerOf('manc-api'), 'manc-server', 'admin', 'create', '--username', admin.username],
    `${admin.password}\n`,
  )
  const ca = readFileSync(path.join(folder, 'tls/ca.crt'), 'utf8')
  figures['agent'] = await checkAgent({ url, mqttUrl: `mqtts://127.0.0.1:${mqttPort}`, ca, admin })
  const { status } = spawnSync(
    process.execPath,
    [
      'packages/server/test/conformance/run.ts',
      '--url',
      url,
      '--username',
      admin.username,
      '--password',
      admin.password,
      '--expect',
      '32',
    ],
    { stdio: 'inherit' },
  )
  if (status !== 0) throw new Error('Conformance failed.')
  figures['conformance'] = '32/32'
}

/** A Job is played as its pod: podman 4 does not have Jobs. */
function play({ kind, name }: Workload, resources: readonly Resource[]): void {
  const resource = structuredClone(
    resources.find((each) => each.kind === kind && each.metadata.name === name),
  )
  if (!resource) throw new Error(`The chart has no ${kind} ${name}.`)
  const { template } = resource['spec'] as { template: { spec: { containers: Container[] } } }
  // podman 4 publishes the ports of containers on the machine.
  for (const container of template.spec.containers) delete container.ports
  const pod = kind === 'Job' ? { apiVersion: 'v1', kind: 'Pod', ...template, metadata: { name } } : resource
  const settings = resources.find((each) => each.kind === 'ConfigMap')
  const text = [settings, ...secrets.resources, pod].map((each) => stringify(each)).join('---\n')
  const aliases = (services[name] ?? [name]).map((alias) => `alias=${alias}`).join()
  played.push(text)
  podman(['kube', 'play', '--network', `${network}:${aliases}`, '-'], text)
}

function containerOf(deployment: string): string {
  const names = podman(['ps', '--format', '{{.Names}}', '--filter', `name=^${deployment}-pod`]).split('\n')
  const name = names.find((each) => each.endsWith('-manc'))
  if (!name) throw new Error(`There is no container of ${deployment}.`)
  return name
}

function addressOf(deployment: string): string {
  const pod = podman(['inspect', containerOf(deployment), '--format', '{{.Pod}}'])
  const infra = podman(['pod', 'inspect', pod, '--format', '{{.InfraContainerID}}'])
  return podman([
    'inspect',
    infra,
    '--format',
    `{{(index .NetworkSettings.Networks "${network}").IPAddress}}`,
  ])
}

async function until(what: string, condition: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + maxWaitMs
  let last: unknown
  while (Date.now() < end) {
    try {
      if (await condition()) return
    } catch (error) {
      last = error
    }
    await sleep(500)
  }
  throw new Error(`Not within ${maxWaitMs / 1000} s: ${what}.`, { cause: last })
}

function remove(): void {
  const quietly = (args: string[], input?: string) => spawnSync('podman', args, { input })
  for (const text of played) quietly(['kube', 'down', '-'], text)
  for (const engine of ['postgres', 'rabbitmq', 'victoria'])
    quietly(['rm', '-f', '-v', `${network}-${engine}`])
  for (const name of secrets.names) {
    quietly(['secret', 'rm', name])
    quietly(['volume', 'rm', name])
  }
  quietly(['network', 'rm', network])
  rmSync(folder, { recursive: true, force: true })
}
