import {
  clientsQueue,
  deadLetterQueue,
  exchanges,
  experimentQueue,
  jobQueue,
  onboardingQueue,
  queuedJobKinds,
  resultsQueue,
  telemetryQueues,
  topologyMarker,
  updatesQueue,
} from '@manc/contract'
import type { Channel, ChannelModel } from 'amqplib'

const neededExchanges = [
  exchanges.telemetry,
  exchanges.probes,
  exchanges.jobs,
  exchanges.deadLetters,
  topologyMarker,
]
const neededQueues = [
  ...telemetryQueues,
  updatesQueue,
  onboardingQueue,
  resultsQueue,
  clientsQueue,
  deadLetterQueue,
  ...queuedJobKinds.map(jobQueue),
  experimentQueue,
]

/** Exchanges and queues of this version that the broker does not have. */
export async function missingTopology(model: ChannelModel): Promise<string[]> {
  const missing: string[] = []
  const checks = [
    ...neededExchanges.map((name) => [name, (channel: Channel) => channel.checkExchange(name)] as const),
    ...neededQueues.map((name) => [name, (channel: Channel) => channel.checkQueue(name)] as const),
  ]
  let channel: Channel | undefined
  for (const [name, check] of checks) {
    channel ??= await openChannel(model)
    try {
      await check(channel)
    } catch (error) {
      if ((error as { code?: unknown }).code !== notFound) throw error
      missing.push(name)
      // The broker closes a channel on which a check has failed.
      channel = undefined
    }
  }
  await channel?.close()
  return missing
}

const notFound = 404

async function openChannel(model: ChannelModel): Promise<Channel> {
  const channel = await model.createChannel()
  // The rejected check reports the error.
  channel.on('error', () => {})
  return channel
}
