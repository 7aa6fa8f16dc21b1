import { emulatorOperations as operations } from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../http/serve.ts'
import type { SpinUpService } from './spin-up.service.ts'

export function emulationRoutes(app: FastifyInstance, { spinUps }: { spinUps: SpinUpService }): void {
  serve(app, operations.spinUpEmulator, async ({ body, caller, by, idempotencyKey }) =>
    spinUps.create({ specs: body.emulators, caller, by, key: idempotencyKey }),
  )
}
