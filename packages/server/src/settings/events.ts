import { count, limit } from './kinds.ts'

/** What happened in the network. */
export const eventSettings = {
  MANC_EVENT_DAYS: count(30, 'Retention of events in days.'),
  MANC_AGENT_EVENTS_PER_HOUR: limit(
    120,
    { owner: 'agent', response: 'further events of the hour are one event, with a count' },
    'Maximum number of events of one agent per hour, per replica.',
  ),
}
