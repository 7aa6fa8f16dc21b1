import Type from 'typebox'
import { count, limit } from './kinds.ts'

/** End-user devices that are attached to access points. */
export const clientSettings = {
  MANC_CLIENT_IDS: Type.Union([Type.Literal('pseudonymous'), Type.Literal('clear')], {
    default: 'pseudonymous',
    description:
      'Ids of clients: `pseudonymous` is a keyed hash of the name that access points report, such as a MAC address; `clear` is the name.',
  }),
  MANC_CLIENT_DAYS: count(7, 'Retention of the history of clients, and of clients that are gone, in days.'),
  MANC_AGENT_CLIENTS: limit(
    5000,
    { owner: 'agent', response: 'further clients are not stored' },
    'Clients that one agent may report as attached.',
  ),
  MANC_CLIENT_EVENTS_PER_MINUTE: limit(
    300,
    { owner: 'installation', response: 'further moves are only in the history of the clients' },
    'Events about clients per minute, per replica; at most one per client, and of one agent a tenth of them, at least one.',
  ),
  MANC_CLIENT_MEASUREMENTS_PER_SECOND: limit(
    500,
    { owner: 'installation', response: 'the measurement of a later report is stored' },
    'Measurements of clients (throughput, access points that they hear) that are stored per second beside moves and changes of links. With 500, those of 10,000 clients every 20 s, and of more clients less often. Of one agent a tenth, at least one: with 500, those of 1,000 clients every 20 s.',
  ),
}
