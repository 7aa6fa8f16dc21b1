import { AsyncLocalStorage } from 'node:async_hooks'
import type { Span, SpanOptions, TraceExport, Tracer } from './tracing.types.ts'

export type { Span, SpanAttributes } from './tracing.types.ts'

const active = new AsyncLocalStorage<Span>()

/** Connections and timers that were created in a span keep it as their context: an ended one does not count. */
function currentSpan(): Span | undefined {
  const span = active.getStore()
  return span?.hasEnded === false ? span : undefined
}

/** For log lines: the trace that they belong to. */
export function traceFields(): { trace_id?: string } {
  const span = currentSpan()
  return span ? { trace_id: span.traceId } : {}
}

/** For rows and messages with which another process continues the trace. */
export const currentTraceparent = (): string | undefined => currentSpan()?.traceparent

/** Runs `work` and what it starts with this span as the current one. */
export const inSpan = <T>(span: Span | undefined, work: () => T): T =>
  span ? active.run(span, work) : work()

/**
 * Traces of requests and of the jobs, commands and callbacks that they cause. Whether a trace is recorded is decided once,
 * when the request arrives. All further spans have a recorded parent, here or in another process.
 */
export class Tracing {
  readonly isOn: boolean
  readonly #ratio: number
  readonly #export: TraceExport
  #tracer: Tracer | undefined

  constructor({ ratio, ...options }: TraceExport & { ratio: number }) {
    this.isOn = options.url !== undefined
    this.#ratio = ratio
    this.#export = options
  }

  /** The libraries are loaded only where they are used. */
  async start(): Promise<void> {
    if (!this.isOn) return
    const { createTracer } = await import('./tracing.otlp.ts')
    this.#tracer = createTracer(this.#export)
  }

  async stop(): Promise<void> {
    await this.#tracer?.stop()
  }

  /**
   * The span of a request that was received. Our processes send `traceparent` for recorded traces only. Other callers may
   * send any: theirs is used as the parent, but does not decide what is recorded. The decision is random and not derived
   * from the trace id, which the caller chooses.
   */
  startRequest(
    options: SpanOptions,
    { traceparent, isInternal }: { traceparent: string | undefined; isInternal: boolean },
  ): Span | undefined {
    const isRecorded = isInternal ? traceparent !== undefined : Math.random() < this.#ratio
    return isRecorded ? this.#tracer?.startSpan(options, traceparent) : undefined
  }

  /** Does the work in a span below `parent`, or below the current span. Without a parent there is no span. */
  async withSpan<T>(
    options: SpanOptions & { parent?: string | null },
    work: (span: Span | undefined) => Promise<T>,
  ): Promise<T> {
    const span = this.#startBelow(options)
    if (!span) return work(undefined)
    try {
      return await active.run(span, () => work(span))
    } catch (error) {
      span.fail(error instanceof Error ? error.name : 'unknown')
      throw error
    } finally {
      span.end()
    }
  }

  /** A span that ends now, of work that began earlier or in another process. */
  record(options: SpanOptions & { parent: string | null }, errorType?: string): void {
    const span = this.#startBelow(options)
    if (errorType !== undefined) span?.fail(errorType)
    span?.end()
  }

  #startBelow({ parent = currentTraceparent(), ...options }: SpanOptions & { parent?: string | null }) {
    return this.#tracer && parent ? this.#tracer.startSpan(options, parent) : undefined
  }
}
