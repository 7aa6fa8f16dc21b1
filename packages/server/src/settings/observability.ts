import Type from 'typebox'

/** Log and traces. */
export const observabilitySettings = {
  MANC_LOG_LEVEL: Type.Enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'], {
    default: 'info',
    description:
      'Minimum level that is logged: trace, debug, info, warn, error or silent. Requests are `debug`; those with status 5xx are `error`, and of those with 4xx up to 20 per caller and minute are `info`.',
  }),
  MANC_TRACES_URL: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s]+$',
      description:
        'Where OpenTelemetry traces are sent to as OTLP/HTTP, for example `http://collector:4318/v1/traces`. Without it, nothing is traced.',
    }),
  ),
  MANC_TRACES_HEADERS: Type.Optional(
    Type.String({
      pattern: '^[\\w-]+=[^,]+(,[\\w-]+=[^,]+)*$',
      writeOnly: true,
      description:
        'Headers for the receiver of traces, for example `authorization=Bearer …`; several are comma-separated.',
    }),
  ),
  MANC_TRACES_RATIO: Type.Number({
    default: 0.1,
    minimum: 0,
    maximum: 1,
    description: 'Part of the requests that are traced, from 0 to 1.',
  }),
}
