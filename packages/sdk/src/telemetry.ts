import type {
  EmulatedChoice,
  HistoryPoint,
  JobMessage,
  LiveSample,
  ReplyOf,
  Technology,
} from '@manc/contract'
import { Resource } from './resource.ts'
import { itemsOf } from './running-job.ts'
import { readJob } from './socket.ts'
import type { Stream } from './stream.ts'
import type { CallOptions } from './transport.ts'

export interface WindowOptions extends CallOptions {
  /** Length of the window: minutes, or a text like `30s`, `1.5h`, `2 days`. The default is five minutes. */
  window?: number | string
}

export interface PeriodOptions extends CallOptions {
  from: Date
  /** The default is now. */
  to?: Date
}

export interface SummaryOptions extends PeriodOptions {
  /** In seconds. The default is about 1/240 of the period. */
  step?: number
  /** Emulated agents to include. The default is `own`. */
  emulated?: EmulatedChoice
}

export class Telemetry extends Resource {
  /** Metrics of an agent, with readable labels. */
  metrics(apId: string, { window, ...options }: WindowOptions = {}): Promise<ReplyOf<'getAgentMetrics'>> {
    return this.transport.call('getAgentMetrics', { query: { agent: apId, window } }, options)
  }

  /** All metrics of an agent. */
  all(apId: string, { window, ...options }: WindowOptions = {}): Promise<ReplyOf<'getAgentData'>> {
    return this.transport.call('getAgentData', { query: { agent: apId, window } }, options)
  }

  /** Selected metrics of an agent, for a chart. Can be polled once a second. */
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

  /** Selected metrics of an agent in a period, for a chart: up to 2,000 points each, averaged if there are more. */
  series(
    apId: string,
    metrics: readonly string[],
    { from, to, ...options }: PeriodOptions,
  ): Promise<ReplyOf<'getTelemetrySeries'>> {
    return this.transport.call('getTelemetrySeries', { query: { agent: apId, metrics, from, to } }, options)
  }

  /** Median and spread of metrics over the agents of a technology, or over agents by id. */
  summary(
    over: { technology: Technology } | { agents: readonly string[] },
    metrics: readonly string[],
    { from, to, step, emulated, ...options }: SummaryOptions,
  ): Promise<ReplyOf<'getTelemetrySummary'>> {
    const which = 'technology' in over ? { technology: over.technology } : { agent: over.agents }
    const query = { ...which, metrics, from, to, step, emulated }
    return this.transport.call('getTelemetrySummary', { query }, options)
  }

  /** All values of a period in chronological order, streamed. */
  async *history(
    apId: string,
    { from, to = new Date(), ...options }: { from: Date; to?: Date } & CallOptions,
  ): Stream<HistoryPoint> {
    const query = { agent_id: apId, start_time: from, end_time: to }
    const { job_number: number } = await this.transport.call('requestAgentData', { query }, options)
    yield* itemsOf<HistoryPoint>(readJob(this.transport, number, options))
  }

  /**
   * Samples as they arrive, until the iteration stops. Samples of an outage are in the history only; so are samples that
   * were skipped because the reader is too slow, which `onSkipped` reports.
   */
  async *watch(
    apIds: readonly string[],
    { onSkipped, ...options }: { onSkipped?: (samples: number) => void } & CallOptions = {},
  ): Stream<LiveSample> {
    const query = { agent_id: apIds }
    const { job_number: number } = await this.transport.call('subscribeAgentData', { query }, options)
    yield* itemsOf<LiveSample>(reportSkipped(readJob(this.transport, number, options), onSkipped))
  }
}

async function* reportSkipped(
  messages: Stream<JobMessage>,
  onSkipped?: (samples: number) => void,
): Stream<JobMessage> {
  for await (const message of messages) {
    if (message.skipped) onSkipped?.(message.skipped)
    yield message
  }
}
