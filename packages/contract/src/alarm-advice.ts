/** What an alarm of a built-in rule means and what to do. The console and docs/operations/alarm-rules.md show it. */
export interface AlarmAdvice {
  meaning: string
  steps: readonly string[]
}

/** By the id of a built-in rule, or by the metric of several. */
const advices: Readonly<Record<string, AlarmAdvice>> = {
  latency_ms: {
    meaning: 'Clients wait for their packets.',
    steps: [
      'Look at the load of the access point in the same period.',
      'The load is high: move clients to neighbours or add capacity.',
      'The load is low: the cause is the backhaul. Check the link and the switch that it is connected to.',
    ],
  },
  packet_loss_pct: {
    meaning: 'Packets are not delivered.',
    steps: [
      'Look at the signal quality in the same period.',
      'It is low: the cause is the radio. Look for interference, distance or a blocked LiFi beam.',
      'It is high: look at the load, then at the backhaul.',
    ],
  },
  load_pct: {
    meaning: 'The radio or optical capacity is nearly used.',
    steps: [
      'Move clients to neighbours, or add an access point.',
      'It is expected at events: acknowledge it with a comment.',
    ],
  },
  signal_quality: {
    meaning: 'The clients have a weak signal on average. Without clients there is no value.',
    steps: [
      'Look for interference on the channel, and for a changed position or antenna.',
      'Look for clients that a closer access point should have.',
      'LiFi: check that the beam is not blocked and the lamp is not covered.',
    ],
  },
  'lifi.blocked': {
    meaning:
      'The beam of a lamp is blocked. Its clients have moved to other access points, so that its KPIs are not bad.',
    steps: [
      'Look for an obstacle below the lamp.',
      'Access points that cannot detect an obstacle send no `blockage`, and have no alarm of this rule.',
    ],
  },
  presence: {
    meaning:
      'The access point was online and has been offline for a minute. One that was never online has no alarm.',
    steps: [
      'Check its power and its network, then the software on it that sends the values.',
      'See whether its samples are refused: the tab Rejected data of the access point, or `manc agents rejections`.',
      'Many access points of one area are offline: the cause is what they share.',
    ],
  },
}

/** Rules of your own with the same metric have the same causes. Undefined for other rules. */
export const adviceOf = (ruleId: string, metric: string): AlarmAdvice | undefined =>
  Object.hasOwn(advices, ruleId) ? advices[ruleId] : advices[metric]
