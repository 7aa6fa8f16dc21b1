import { type EngineSet, startSet } from '../../../tools/engines/index.ts'
import { call } from './client.ts'
import { type Environment, makePlace } from './environment.ts'

/** Engines of their own, whose broker asks the server that is started with this environment. */
export interface Stage {
  set: EngineSet
  environment: Environment
}

export async function makeStage(): Promise<Stage> {
  const set = await startSet({ ephemeral: true })
  const { environment } = await makePlace(set.urls)
  return {
    set,
    environment: {
      ...environment,
      // Agents connect to the virtual host that the broker boots with.
      MANC_RABBITMQ_URL: set.urls.rabbitmq,
      MANC_INTERNAL_PORT: String(set.ports.internal),
    },
  }
}

/** How many questions the broker has asked so far, by `kind answer`. */
export async function questions(internalUrl: string): Promise<Record<string, number>> {
  const { body } = await call(internalUrl, 'GET', '/metrics')
  const lines = String(body).matchAll(/^manc_broker_questions_total\{kind="(\w+)",answer="(\w+)"\} (\d+)$/gm)
  return Object.fromEntries([...lines].map(([, kind, answer, count]) => [`${kind} ${answer}`, Number(count)]))
}
