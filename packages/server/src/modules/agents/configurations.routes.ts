import { configurationOperations as operations } from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../http/serve.ts'
import type { AgentService } from './agents.service.ts'
import type { ConfigurationVersion } from './configurations.store.ts'

export function configurationRoutes(app: FastifyInstance, agents: AgentService): void {
  serve(app, operations.listAgentConfigurations, async ({ params }) =>
    (await agents.configurations(params.ap_id)).map(toRecord),
  )

  // The configuration is JSON text already.
  serve(app, operations.getAgentConfiguration, async ({ params }) => {
    const found = await agents.configuration(params.ap_id, params.version)
    return `${JSON.stringify(toRecord(found)).slice(0, -1)},"configuration":${found.configuration}}`
  })
}

const toRecord = ({ version, at, authorKind, author, bytes, isCurrent }: ConfigurationVersion) => ({
  version,
  at: at.toISOString(),
  author_kind: authorKind,
  author,
  bytes,
  current: isCurrent,
})
