import { maxAheadMs } from '../../clocks.ts'
import type { Span } from '../../engines/victoria.reads.ts'
import { invalid } from '../../errors.ts'

const minMs = 1000

/**
 * The period of a request, which ends now unless it says otherwise: then at a whole second, so that requests within that
 * second have the same period and share a read.
 */
export function periodOf(
  from: Date,
  to: Date | undefined,
  retentionMs: number,
  nowMs: number = Date.now(),
): Span {
  const fromMs = from.getTime()
  const toMs = Math.min(to?.getTime() ?? Math.floor(nowMs / 1000) * 1000, nowMs + maxAheadMs)
  if ((to ? toMs : nowMs) - fromMs < minMs)
    throw wrong('to', to ? 'to should be at least 1 s after from' : 'from should be in the past')
  if (toMs - fromMs > retentionMs)
    throw wrong('from', 'The period is longer than samples are kept. Use a shorter period')
  return { fromMs, toMs }
}

const wrong = (name: 'from' | 'to', msg: string) =>
  invalid([{ loc: ['query', name], msg: `Value error, ${msg}`, type: 'value_error' }])
