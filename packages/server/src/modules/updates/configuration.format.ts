import { invalid } from '../../errors.ts'

const maxBytes = 65_536

/** The `configuration` of an update; undefined if there is none. */
export function configurationOf({
  configuration,
}: Record<string, unknown>): Record<string, unknown> | undefined {
  if (configuration === undefined || configuration === null) return undefined
  const error = (type: string, msg: string) => invalid([{ loc: ['body', 'configuration'], msg, type }])
  if (typeof configuration !== 'object' || Array.isArray(configuration))
    throw error('dict_type', 'Input should be a valid dictionary')
  if (Buffer.byteLength(JSON.stringify(configuration)) > maxBytes)
    throw error('too_long', `Value should have at most ${maxBytes} bytes as JSON`)
  return configuration as Record<string, unknown>
}
