import { updateOperations as operations } from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../http/serve.ts'
import type { HttpUpdateService } from './http-updates.service.ts'

export function updateRoutes(app: FastifyInstance, updates: HttpUpdateService): void {
  serve(app, operations.sendUpdate, async ({ body, caller, by }) => updates.accept(body, caller, by))
}
