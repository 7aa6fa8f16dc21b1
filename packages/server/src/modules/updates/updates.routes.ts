import { updateOperations as operations } from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../http/serve.ts'
import type { UpdateService } from './updates.service.ts'

export function updateRoutes(app: FastifyInstance, updates: UpdateService): void {
  serve(app, operations.sendUpdate, async ({ body, caller, by }) => updates.accept(body, caller, by))
}
