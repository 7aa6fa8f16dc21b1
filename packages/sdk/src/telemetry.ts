import type { HistoryPoint, JobMessage, LiveSample, ReplyOf } from '@manc/contract'
import { Resource } from './resource.ts'
import { itemsOf } from './running-job.ts'
import { readJob } from './socket.ts'
import type { Stream } from './stream.ts'
import type { CallOptions } from './transport.ts'

export interface WindowOptions extends CallOptions {
  /** How far back: minutes, or a text such as `30s`, `1h`, `2d`. Five minutes where nothing is said. */
  window?: number | string
}

export class Telemetry extends Resource {
  /** The metrics that an agent has, with labels for people. */
  metrics(apId: string, { window, ...options }: WindowOptions = {}): Promise<ReplyOf<'getAgentMetrics'>> {
    return this.transport.call('getAgentMetrics', { query: { agent: apId, window } }, options)
  }

  /** All metrics of an agent. */
  all(apId: string, { window, ...options }: WindowOptions = {}): Promise<ReplyOf<'getAgentData'>> {
    return this.transport.call('getAgentData', { query: { agent: apId, window } }, options)
  }

  /** Chosen metrics of an agent, for a chart; cheap enough to ask once a second. */
  chart(
    apId: string,
    metrics: readonly string[],
    { window, ...options }: WindowOptions = {},
  ): Promise<ReplyOf<'getAgentMultiMetricData'>> {
    return this.transport.call(
      'getAgentMultiMetricData',
      { query: { agent: apId, metrics, window } },
      options,
    )
  }

  /** Every value of a period, in the order of time, however many there are. */
  async *history(
    apId: string,
    { from, to = new Date(), ...options }: { from: Date; to?: Date } & CallOptions,
  ): Stream<HistoryPoint> {
    const query = { agent_id: apId, start_time: from, end_time: to }
    const { job_number: number } = await this.transport.call('requestAgentData', { query }, options)
    yield* itemsOf<HistoryPoint>(readJob(this.transport, number, options))
  }

  /**
   * Samples as they arrive, until one stops listening. What came during an outage is in the history; so is what was left
   * out for a reader who is too slow, which `onSkipped` tells.
   */
  async *watch(
    apIds: readonly string[],
    { onSkipped, ...options }: { onSkipped?: (samples: number) => void } & CallOptions = {},
  ): Stream<LiveSample> {
    const query = { agent_id: apIds }
    const { job_number: number } = await this.transport.call('subscribeAgentData', { query }, options)
    yield* itemsOf<LiveSample>(toldOf(readJob(this.transport, number, options), onSkipped))
  }
}

async function* toldOf(
  messages: Stream<JobMessage>,
  onSkipped?: (samples: number) => void,
): Stream<JobMessage> {
  for await (const message of messages) {
    if (message.skipped) onSkipped?.(message.skipped)
    yield message
  }
}
