import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  clientsQueue,
  deadLetterKeys,
  deadLetterQueue,
  exchanges,
  experimentQueue,
  experimentRoutingKey,
  jobNumberOfTask,
  jobQueue,
  jobTask,
  maxMessageBytes,
  onboardingQueue,
  queuedJobKinds,
  resultsQueue,
  telemetryBindingKey,
  telemetryQueueArguments,
  telemetryQueues,
  topologyMarker,
  topologyVersion,
  updatesQueue,
} from './broker.ts'
import { agentBindingKey, publishedTopics } from './topics.ts'

const folder = path.join(import.meta.dirname, '../../../deploy/rabbitmq')
const definitions = JSON.parse(readFileSync(path.join(folder, 'definitions.json'), 'utf8')) as {
  exchanges: { name: string }[]
  queues: { name: string; arguments: object }[]
  bindings: { source: string; destination: string; routing_key: string }[]
}
const settings = readFileSync(path.join(folder, 'rabbitmq.conf'), 'utf8')

describe('deploy/rabbitmq', () => {
  it('declares the exchanges of the contract, but for the predefined one and the one that the server declares', () => {
    const { telemetry, probes, jobs, deadLetters } = exchanges
    expect(definitions.exchanges.map(({ name }) => name).sort()).toEqual([
      deadLetters,
      jobs,
      probes,
      telemetry,
      topologyMarker,
    ])
    expect(settings).toMatch(new RegExp(`^mqtt\\.exchange = ${exchanges.agents}$`, 'm'))
  })

  it('declares the queues of the contract and no others', () => {
    const names = [
      ...telemetryQueues,
      updatesQueue,
      onboardingQueue,
      resultsQueue,
      clientsQueue,
      deadLetterQueue,
      ...queuedJobKinds.map(jobQueue),
      experimentQueue,
    ]
    expect(definitions.queues.map(({ name }) => name).sort()).toEqual(names.sort())
    const ofTelemetry = definitions.queues.filter(({ name }) => telemetryQueues.includes(name))
    expect(ofTelemetry.map(({ arguments: declared }) => declared)).toEqual(
      telemetryQueues.map(() => telemetryQueueArguments),
    )
  })

  it('binds every topic, dead-letter key and job kind of the contract to its queue', () => {
    const bound = definitions.bindings.map(
      ({ source, destination, routing_key: key }) => `${source} ${key} → ${destination}`,
    )
    const updates = publishedTopics.filter((topic) => !['data', 'clients'].includes(topic))
    const expected = [
      `${exchanges.agents} ${agentBindingKey('data')} → ${exchanges.telemetry}`,
      ...telemetryQueues.map((queue) => `${exchanges.telemetry} ${telemetryBindingKey} → ${queue}`),
      ...telemetryQueues.map((queue) => `${exchanges.probes} ${queue} → ${queue}`),
      ...updates.map((topic) => `${exchanges.agents} ${agentBindingKey(topic)} → ${updatesQueue}`),
      `${exchanges.agents} ${agentBindingKey('onboard')} → ${onboardingQueue}`,
      `${exchanges.agents} ${agentBindingKey('status')} → ${onboardingQueue}`,
      `${exchanges.agents} ${agentBindingKey('result')} → ${resultsQueue}`,
      `${exchanges.agents} ${agentBindingKey('clients')} → ${clientsQueue}`,
      ...Object.values(deadLetterKeys).map((key) => `${exchanges.deadLetters} ${key} → ${deadLetterQueue}`),
      ...queuedJobKinds.map((kind) => `${exchanges.jobs} ${kind} → ${jobQueue(kind)}`),
      `${exchanges.jobs} ${experimentRoutingKey} → ${experimentQueue}`,
    ]
    expect(bound.sort()).toEqual(expected.sort())
  })

  it('has a new version with every change: increase topologyVersion, the marker exchange and this line', () => {
    const hash = createHash('sha256').update(JSON.stringify(definitions)).digest('hex').slice(0, 16)
    expect(`${topologyVersion} ${hash}`).toBe('8 6176710e26421a7e')
  })

  it('limits messages to the size of the contract', () => {
    expect(settings).toMatch(new RegExp(`^max_message_size = ${maxMessageBytes}$`, 'm'))
  })

  it('adds the time of receipt to each message, and replaces one that an agent has set', () => {
    expect(settings).toMatch(/^message_interceptors\.incoming\.set_header_timestamp\.overwrite = true$/m)
  })

  it('has the same TLS versions and cipher suites in compose', () => {
    const tlsOf = (file: string) =>
      readFileSync(path.join(folder, file), 'utf8').match(/^ssl_options\.(versions|ciphers|honor).*$/gm)
    expect(tlsOf('listeners.conf')).toHaveLength(12)
    expect(tlsOf('../compose/rabbitmq/listeners.conf')).toEqual(tlsOf('listeners.conf'))
  })
})

describe('a message of a job queue', () => {
  it('carries the job number, the kind and the request', () => {
    const text = jobTask('7"\\', 'agent_data', '{"agent_id":"a"}')
    expect(JSON.parse(text)).toEqual({ job_number: '7"\\', task_type: 'agent_data', data: { agent_id: 'a' } })
    expect(jobNumberOfTask(text)).toBe('7"\\')
  })

  it.each(['', 'null', '{"job_number":7}', '[1'])('is not %j', (text) => {
    expect(jobNumberOfTask(text)).toBeUndefined()
  })
})
