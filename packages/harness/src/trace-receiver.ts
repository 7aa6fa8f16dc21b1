import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type Values = Record<string, string | number | boolean>

export interface ReceivedSpan {
  traceId: string
  spanId: string
  /** Empty for the first span of a trace. */
  parentId: string
  name: string
  kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer'
  hasFailed: boolean
  durationMs: number
  attributes: Values
  /** Attributes of the process that exported it. */
  process: Values
}

/** The receiving end of OTLP/HTTP with JSON. */
export interface TraceReceiver {
  url: string
  /** Received so far. */
  spans(): ReceivedSpan[]
  /** The bodies so far, as they were sent. */
  texts(): string[]
  /** Headers of the last export. */
  headers(): NodeJS.Dict<string | string[]>
  stop(): Promise<void>
}

export async function startTraceReceiver(): Promise<TraceReceiver> {
  const texts: string[] = []
  let headers: NodeJS.Dict<string | string[]> = {}
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const isExport = request.method === 'POST' && request.url === '/v1/traces'
      if (isExport) {
        texts.push(Buffer.concat(chunks).toString('utf8'))
        headers = request.headers
      }
      response.writeHead(isExport ? 200 : 404, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`,
    spans: () => texts.flatMap(spansOf),
    texts: () => texts,
    headers: () => headers,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface Attribute {
  key: string
  value: { stringValue?: string; intValue?: number | string; doubleValue?: number; boolValue?: boolean }
}

interface OtlpSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Attribute[]
  status: { code?: number }
}

interface OtlpExport {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: OtlpSpan[] }[] }[]
}

/** `SpanKind` and `StatusCode` of opentelemetry/proto/trace/v1/trace.proto. */
const kinds = ['internal', 'internal', 'server', 'client', 'producer', 'consumer'] as const
const errorStatus = 2

const spansOf = (text: string): ReceivedSpan[] =>
  (JSON.parse(text) as OtlpExport).resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        traceId: span.traceId,
        spanId: span.spanId,
        parentId: span.parentSpanId ?? '',
        name: span.name,
        kind: kinds[span.kind] ?? 'internal',
        hasFailed: span.status.code === errorStatus,
        durationMs: Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1e6,
        attributes: valuesOf(span.attributes),
        process: valuesOf(resource.attributes),
      })),
    ),
  )

const valuesOf = (attributes: readonly Attribute[]): Values =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? value.boolValue ?? Number(value.intValue ?? value.doubleValue),
    ]),
  )
