import { describe, expect, it } from 'vitest'
import { adviceFor } from './rejection-advice.ts'

describe('the advice on a rejection', () => {
  it.each([
    ['more than 10 messages per second', 'MANC_AGENT_MESSAGES_PER_SECOND'],
    ['samples beyond the limit', 'MANC_AGENT_SAMPLES_PER_SECOND'],
    ['more than 32768 bytes per second', 'MANC_AGENT_BYTES_PER_SECOND'],
    ['more than 10000 samples in a message', 'MANC_AGENT_SAMPLES_PER_MESSAGE'],
    ['too many metric names of this agent', 'MANC_AGENT_METRIC_NAMES'],
    ['attributes of more than 16384 bytes', 'MANC_AGENT_ATTRIBUTE_BYTES'],
    [
      'An agent may change its configuration 10 times per minute. Send it again later.',
      'MANC_AGENT_ONBOARDINGS_PER_MINUTE',
    ],
  ])('names the setting of the limit: %s', (reason, setting) => {
    expect(adviceFor(reason).setting).toBe(setting)
  })

  it.each(['timestamp more than an hour ahead', 'timestamp older than the retention'])(
    'is about the clock: %s',
    (reason) => expect(adviceFor(reason).advice).toContain('clock of the access point'),
  )

  it('refers to the description of the format for an unknown reason', () => {
    expect(adviceFor('unreadable').advice).toContain('docs/devices.md')
  })
})
