import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { ExportResultCode, parseTraceParent } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  type SpanExporter,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import type { Span, SpanAttributes, SpanOptions, TraceExport, Tracer } from './tracing.types.ts'

/** Spans that wait for their export. Further ones are dropped: requests never wait for the receiver. */
const maxPending = 4096
const spansPerExport = 512
const exportIntervalMs = 2000
const exportTimeoutMs = 3000
/** The rest of a stop needs its time as well. */
const stopTimeoutMs = 1500
const errorLogIntervalMs = 60_000

/** The adapter of the OpenTelemetry libraries: manual spans, exported in batches as OTLP/HTTP with JSON. */
export function createTracer({ url, headers, attributes, log }: TraceExport): Tracer {
  const provider = new TracerProvider({
    // Tracing has decided already.
    sampler: new AlwaysOnSampler(),
    resource: resourceFromAttributes(attributes),
    spanLimits: { attributeValueLengthLimit: 256 },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: loggingErrors(
          new OTLPTraceExporter({
            ...(url !== undefined && { url }),
            headers,
            timeoutMillis: exportTimeoutMs,
          }),
          log,
        ),
        maxQueueSize: maxPending,
        maxExportBatchSize: spansPerExport,
        scheduledDelayMillis: exportIntervalMs,
      }),
    ],
  })
  const tracer = provider.getTracer('manc-server')
  return {
    startSpan({ name, kind, attributes: given, startedAt }: SpanOptions, traceparent) {
      const parent = traceparent === undefined ? null : parseTraceParent(traceparent)
      const context = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT
      return new RecordedSpan(
        tracer.startSpan(
          name,
          {
            kind: kinds[kind],
            ...(given && { attributes: given }),
            ...(startedAt && { startTime: startedAt }),
          },
          context,
        ),
      )
    },
    async stop() {
      const shutdown = provider.shutdown().catch((error: unknown) => {
        log.debug({ err: error }, 'the last spans could not be exported')
      })
      await Promise.race([shutdown, sleep(stopTimeoutMs, undefined, { ref: false })])
    },
  }
}

const kinds: Record<SpanOptions['kind'], SpanKind> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
}

class RecordedSpan implements Span {
  readonly traceId: string
  readonly traceparent: string
  readonly #span: OtelSpan

  constructor(span: OtelSpan) {
    const { traceId, spanId, traceFlags } = span.spanContext()
    this.traceId = traceId
    // [W3C Trace Context, 3.2]
    this.traceparent = `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}`
    this.#span = span
  }

  get hasEnded(): boolean {
    return !this.#span.isRecording()
  }

  set(attributes: SpanAttributes): void {
    this.#span.setAttributes(attributes)
  }

  fail(errorType: string): void {
    this.#span.setAttribute('error.type', errorType)
    this.#span.setStatus({ code: SpanStatusCode.ERROR })
  }

  end(): void {
    this.#span.end()
  }
}

/** Logs failed exports, at most once a minute. */
function loggingErrors(exporter: SpanExporter, log: Logger): SpanExporter {
  let loggedAt = Number.NEGATIVE_INFINITY
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.code === ExportResultCode.FAILED && performance.now() - loggedAt >= errorLogIntervalMs) {
          loggedAt = performance.now()
          log.warn(
            { err: result.error, spans: spans.length },
            'spans could not be exported; they are dropped',
          )
        }
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
    ...(exporter.forceFlush && { forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve() }),
  }
}
