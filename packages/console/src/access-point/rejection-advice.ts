interface Advice {
  advice: string
  /** The setting of the controller, for limits. */
  setting?: string
}

const format = 'Send a JSON object with numbers, texts and nested objects, at most 16 levels deep.'
const rates = {
  messages: 'Send several samples in one message, or send less often.',
  samples: 'Increase the interval at which the agent sends.',
  bytes: 'Send fewer metrics and texts, or send less often.',
}

const rateAdvice = (kind: keyof typeof rates): Advice => ({
  advice: rates[kind],
  setting: `MANC_AGENT_${kind.toUpperCase()}_PER_SECOND`,
})

const byReason: readonly [RegExp, Advice][] = [
  [/\bmessages (per second|beyond the limit)$/, rateAdvice('messages')],
  [/\bsamples (per second|beyond the limit)$/, rateAdvice('samples')],
  [/\bbytes (per second|beyond the limit)$/, rateAdvice('bytes')],
  [
    /change its configuration/,
    {
      advice: 'Send the configuration only after it has changed.',
      setting: 'MANC_AGENT_ONBOARDINGS_PER_MINUTE',
    },
  ],
  [
    /samples in a message$/,
    { advice: 'Send a backlog in smaller batches.', setting: 'MANC_AGENT_SAMPLES_PER_MESSAGE' },
  ],
  [/metrics in a sample$/, { advice: 'Send the metrics in several samples.' }],
  [
    /^too many metric names/,
    {
      advice: 'Use the same names in every sample. Names must not contain IDs of clients or sessions.',
      setting: 'MANC_AGENT_METRIC_NAMES',
    },
  ],
  [
    /^attributes of more than/,
    {
      advice: 'Send fewer or shorter texts. The metrics of these samples were stored.',
      setting: 'MANC_AGENT_ATTRIBUTE_BYTES',
    },
  ],
  [/hour ahead$/, { advice: 'Synchronise the clock of the access point, for example with NTP.' }],
  [
    /older than the retention$/,
    {
      advice: 'Check the clock of the access point. Samples that are this old are not stored.',
      setting: 'MANC_TELEMETRY_DAYS',
    },
  ],
  [
    /^timestamp is no time$/,
    {
      advice:
        'Send the time as RFC 3339 or as an epoch time, or leave it out: the controller then uses the time of arrival.',
    },
  ],
  [/^value is no finite number$/, { advice: 'Leave out metrics that have no value.' }],
  [/^metric name/, { advice: 'Use names of 1 to 128 printable characters.' }],
  [/^(no JSON|payload is no object|nested too deeply)/, { advice: format }],
]

/** What to do about a reason for which the controller rejects data or suspends an agent. */
export function adviceFor(reason: string): Advice {
  const [, advice] = byReason.find(([pattern]) => pattern.test(reason)) ?? []
  return advice ?? { advice: `Compare what the agent sends with docs/devices.md. ${format}` }
}
