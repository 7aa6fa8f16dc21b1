import { jobOperations as operations } from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../access.ts'
import { serve } from '../../http/serve.ts'
import { workHeaders } from './callback.client.ts'
import type { MessageService } from './messages.service.ts'
import { leaseForS } from './worker.consumer.ts'

/** Handles items posted by those who work on a job, before its client gets them. */
export type CallbackListener = (jobNumber: string, items: readonly unknown[]) => Promise<void>

export function callbackRoutes(
  app: FastifyInstance,
  { messages, listeners }: { messages: MessageService; listeners: Partial<Record<string, CallbackListener>> },
): void {
  const { postAgentData, postAgentDetails, postEmulator } = operations
  for (const operation of [postAgentData, postAgentDetails, postEmulator])
    serve(app, operation, async ({ query, body, caller, text, headers, idempotencyKey }) => {
      await listeners[operation.id]?.(query.job_number, body)
      const delivered = await messages.post({
        jobNumber: query.job_number,
        data: text,
        final: caller.kind === 'service' && headers[workHeaders.final] === 'true',
        key: idempotencyKey,
        poster: caller,
        work: workOf(caller, headers),
      })
      return {
        status: 'success' as const,
        job_number: query.job_number,
        delivered,
        detail: delivered ? 'Handed to the client.' : 'Kept until the client connects.',
      }
    })
}

function workOf(caller: Caller, headers: Record<string, string | string[] | undefined>) {
  const lease = headers[workHeaders.lease]
  const cursor = headers[workHeaders.cursor]
  if (caller.kind !== 'service' || typeof lease !== 'string' || typeof cursor !== 'string') return undefined
  return { lease, cursor: decodeURIComponent(cursor), leaseForS }
}
