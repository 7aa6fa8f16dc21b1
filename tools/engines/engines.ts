import type { Engine } from './engine.ts'
import { postgres } from './postgres.ts'
import { rabbitmq } from './rabbitmq.ts'
import type { EngineName } from './state.ts'
import { victoria } from './victoria.ts'

export const ENGINES: Readonly<Record<EngineName, Engine>> = { postgres, rabbitmq, victoria }
