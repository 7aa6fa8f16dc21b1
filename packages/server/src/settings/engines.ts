import Type from 'typebox'
import { count } from './kinds.ts'

/** PostgreSQL, RabbitMQ, VictoriaMetrics and the mail server. */
export const engineSettings = {
  MANC_DATABASE_URL: Type.String({
    pattern: '^postgres(ql)?://',
    writeOnly: true,
    description:
      'PostgreSQL, for example `postgres://manc:…@db:5432/manc`. With several hosts, `postgres://manc:…@db1:5432,db2:5432/manc`, the one that takes writes is used.',
  }),
  MANC_DATABASE_CONNECTIONS: count(
    20,
    'Maximum number of PostgreSQL connections of one process, plus one for small reads.',
  ),
  MANC_RABBITMQ_URL: Type.String({
    pattern: '^amqps?://',
    writeOnly: true,
    description:
      'RabbitMQ, for example `amqp://manc:…@broker:5672`. With several nodes, `amqp://manc:…@b1:5672,b2:5672`, each process connects to one of them, and to the next when that is lost.',
  }),
  MANC_RABBITMQ_MANAGEMENT_URL: Type.Optional(
    Type.String({
      pattern: '^https?://',
      writeOnly: true,
      description:
        "RabbitMQ's management API, with a user that has the tag `administrator`, for example `http://manc:…@broker:15672`. With several nodes, `http://manc:…@b1:15672,b2:15672`, the next is asked when one does not answer. Without it, an agent that is deleted or gets a new password stays connected to the broker until it disconnects.",
    }),
  ),
  MANC_BROKER_SECRET: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]{32,128}$',
      writeOnly: true,
      description:
        'Lets a RabbitMQ on another machine authenticate agents: the paths in its configuration are then `/broker/<secret>/user` and so on, on the internal listener. 32 to 128 letters, digits, `-` and `_`. Without it, only requests from this machine are answered, at `/broker/user`.',
    }),
  ),
  MANC_VICTORIA_URL: Type.String({
    pattern: '^https?://',
    description:
      'VictoriaMetrics, for example `http://metrics:8428`. Several, separated by commas, each store all samples (`docs/operations/metrics-stores.md`); a comma in a password is `%2C`.',
  }),
  MANC_SMTP_URL: Type.Optional(
    Type.String({
      pattern: '^smtps?://',
      writeOnly: true,
      description:
        'Mail server, for example `smtp://user:…@mail:587`. Without it, no e-mail is sent for password recovery, and `MANC_SIGNUP=confirmed` is refused.',
    }),
  ),
  MANC_MAIL_FROM: Type.String({ default: 'MANC <manc@localhost>', description: 'Sender of e-mails.' }),
}
