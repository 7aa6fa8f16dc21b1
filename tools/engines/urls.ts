import type { SetState } from './state.ts'

export interface EngineUrls {
  readonly postgres: string
  readonly rabbitmq: string
  readonly rabbitmqManagement: string
  readonly mqtt: string
  readonly victoria: string
}

export function urlsOf({ ports, passwords }: SetState): EngineUrls {
  return {
    postgres: `postgres://manc:${passwords.postgres}@127.0.0.1:${ports.postgres}/manc`,
    rabbitmq: `amqp://manc:${passwords.rabbitmq}@127.0.0.1:${ports.amqp}`,
    rabbitmqManagement: `http://manc:${passwords.rabbitmq}@127.0.0.1:${ports.management}`,
    mqtt: `mqtt://127.0.0.1:${ports.mqtt}`,
    victoria: `http://127.0.0.1:${ports.victoria}`,
  }
}

export function withoutPassword(url: string): string {
  return url.replace(/:[^:/@]+@/, '@')
}
