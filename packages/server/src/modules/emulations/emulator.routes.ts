import { emulatorOperations as operations } from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../http/serve.ts'
import type { EmulatorService } from './emulator.service.ts'

export function emulatorRoutes(app: FastifyInstance, { emulator }: { emulator: EmulatorService }): void {
  serve(app, operations.spinUpEmulator, async ({ body, caller, by, idempotencyKey }) =>
    emulator.spinUp({ specs: body.emulators, caller, by, key: idempotencyKey }),
  )
}
