import type { JobKind } from './jobs.ts'

/**
 * Names and limits that programs share with the broker. `deploy/rabbitmq/definitions.json` declares the exchanges, queues
 * and bindings; broker.test.ts compares the two. This file imports types only: `@manc/contract/broker`.
 */

export const exchanges = {
  /** RabbitMQ's default topic exchange: its MQTT plugin publishes there what agents send. */
  agents: 'amq.topic',
  /** Consistent hash over the telemetry queues: samples of one agent stay in order. */
  telemetry: 'manc.telemetry',
  /** To one telemetry queue, by its name. The default exchange could do this too, but would reach every queue. */
  probes: 'manc.probes',
  jobs: 'manc.jobs',
  deadLetters: 'manc.dead',
  /** Fan-out to all replicas; declared by the server. */
  wakeUps: 'manc.wakeups',
} as const

/**
 * The version of `definitions.json`, increased with every change of it; 1.0.0 had no version and counts as 1. An exchange
 * without messages marks that the definitions were imported: AMQP can check exchanges and queues, but neither bindings nor
 * policies.
 */
export const topologyVersion = 8
export const topologyMarker = `manc.topology.${topologyVersion}`

/** The queues of `definitions.json`. `manc-server telemetry-queues` adds more. */
export const telemetryQueueNames = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${exchanges.telemetry}.${n}`)
export const telemetryQueues: readonly string[] = telemetryQueueNames(8)
/** The weight of a queue in the consistent hash. */
export const telemetryBindingKey = '1'
export const telemetryQueueArguments = {
  'x-queue-type': 'quorum',
  'x-single-active-consumer': true,
  'x-max-length-bytes': 536_870_912,
  'x-overflow': 'reject-publish',
} as const
/**
 * Everything that agents publish except samples, for version 1.1, which has no other queue for it. This version consumes
 * it only where the next two do not exist; the next version removes it.
 */
export const updatesQueue = 'manc.updates'
/** Configurations and statuses of agents. With a single active consumer, those of one agent stay in order. */
export const onboardingQueue = 'manc.onboarding'
/** Results of commands: they do not wait behind the onboardings of a whole fleet. */
export const resultsQueue = 'manc.results'
/** Clients of agents. With a single active consumer, the changes of one agent stay in order. */
export const clientsQueue = 'manc.clients'
export const deadLetterQueue = 'manc.dead'

/** Jobs that are published to a queue; workers find jobs of other kinds in the database. */
export const queuedJobKinds = [
  'agent_details',
  'agent_data',
  'send_command',
  'emulator_spinup',
] as const satisfies readonly JobKind[]
export type QueuedJobKind = (typeof queuedJobKinds)[number]

export const isQueuedJobKind = (kind: JobKind): kind is QueuedJobKind =>
  (queuedJobKinds as readonly JobKind[]).includes(kind)

export const jobQueue = (kind: QueuedJobKind): string => `${exchanges.jobs}.${kind}`

/** Runs of experiments, for emulators. They are no jobs: their states are in the table of runs. */
export const experimentRoutingKey = 'experiment_run'
export const experimentQueue = `${exchanges.jobs}.${experimentRoutingKey}`

/** A message of a job queue. `data` is JSON text. */
export const jobTask = (jobNumber: string, kind: JobKind, data: string): string =>
  `{"job_number":${JSON.stringify(jobNumber)},"task_type":"${kind}","data":${data}}`

/** Undefined where the text is no message of a job queue. */
export function jobNumberOfTask(text: string): string | undefined {
  try {
    const { job_number: jobNumber } = JSON.parse(text) as Record<string, unknown>
    return typeof jobNumber === 'string' ? jobNumber : undefined
  } catch {
    return undefined
  }
}

/** Routing keys of `exchanges.deadLetters`, by the queue that the message was taken from. */
export const deadLetterKeys = { telemetry: 'telemetry', updates: 'updates' } as const

/** Header of samples that another caller sent in the name of an agent: the kind of that caller. */
export const sentByHeader = 'sent_by'

/** Header that the broker sets: when it received the message, in milliseconds. */
export const receivedAtHeader = 'timestamp_in_ms'

/** `max_message_size` of the broker. */
export const maxMessageBytes = 1_048_576
