/** Topics that the agent `attacker` may not publish to; `victim` is another agent. */
export const forbiddenPublications = [
  'agent/victim/data',
  'agent/victim/clients',
  'agent/victim/onboard',
  'agent/victim/status',
  'agent/victim/result',
  'agent/victim/command',
  'agent/attacker/command',
  'agent/attacker/data/more',
  'agent/attackerx/data',
  'agent/attacker',
  'data',
  '$SYS/broker',
  'manc.telemetry',
]

/** Topics that the agent `attacker` may not subscribe to. */
export const forbiddenSubscriptions = [
  'agent/victim/command',
  'agent/victim/data',
  'agent/victim/result',
  'agent/victim/status',
  'agent/attacker/data',
  '#',
  '+',
  '+/+/+',
  '+/+/command',
  'agent/#',
  'agent/+/command',
  'agent/attacker/+',
  'agent/attacker/command/#',
  '$SYS/#',
  '$share/all/agent/+/command',
]
