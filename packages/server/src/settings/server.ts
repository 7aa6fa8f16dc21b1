import Type from 'typebox'
import { port, secret } from './kinds.ts'

export const roles = ['api', 'subscriber', 'ingester'] as const
export type Role = (typeof roles)[number]

/** The process and its listeners. */
export const serverSettings = {
  MANC_ROLES: Type.String({
    default: roles.join(','),
    pattern: `^(${roles.join('|')})(,(${roles.join('|')}))*$`,
    description: 'The roles of this process, comma-separated. `--role` overrides it.',
  }),
  MANC_HOST: Type.String({ default: '0.0.0.0', description: 'Address of the public listener.' }),
  MANC_PORT: port(8080, 'Port of the public listener; 0 picks a free one.'),
  MANC_INTERNAL_HOST: Type.String({
    default: '127.0.0.1',
    description:
      'Address of the internal listener (`/metrics`, health, broker authentication). Must not be reachable by the public.',
  }),
  MANC_INTERNAL_PORT: port(8081, 'Port of the internal listener; 0 picks a free one.'),
  MANC_METRICS_TOKEN: Type.Optional(
    secret('Bearer token that `/metrics` of the internal listener requires. Without it, none is required.'),
  ),
  MANC_PUBLIC_URL: Type.String({
    default: 'http://localhost:8080',
    pattern: '^https?://[^\\s]+$',
    description: 'Public URL of this server; links in e-mails begin with it.',
  }),
  MANC_DRAIN_SECONDS: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 600,
    description:
      'When an `api` process is stopped, `/readyz` fails for this time before the listeners close, so that a load balancer takes the process out. Set it to a little more than the interval of its checks.',
  }),
}
