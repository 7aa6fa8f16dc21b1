import type { Logger } from 'pino'

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

export interface SpanOptions {
  /** With few different values: an operation, a kind of job. */
  name: string
  kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal'
  /** Without secrets, query strings and bodies. */
  attributes?: SpanAttributes
  /** Now, if it is missing. */
  startedAt?: Date
}

/** One step of a trace. Only spans that are exported exist: without one, a step is not traced. */
export interface Span {
  readonly traceId: string
  /** The W3C header with which another process continues the trace. */
  readonly traceparent: string
  readonly hasEnded: boolean
  set(attributes: SpanAttributes): void
  /** The type of the error, not its message, which may contain secrets. */
  fail(errorType: string): void
  end(): void
}

/** What the adapter of the OpenTelemetry libraries provides. */
export interface Tracer {
  /** Without a valid `traceparent` the span begins a new trace. */
  startSpan(options: SpanOptions, traceparent: string | undefined): Span
  /** Exports what is left, for a limited time. */
  stop(): Promise<void>
}

export interface TraceExport {
  /** Of an OTLP/HTTP receiver; undefined: tracing is off. */
  url: string | undefined
  headers: Record<string, string>
  /** Of the process. */
  attributes: SpanAttributes
  log: Logger
}
