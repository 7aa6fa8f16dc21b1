export { type AgentsModule, createAgentsModule } from './agents.module.ts'
export { toJson } from './agents.routes.ts'
export type { AgentService, NewAgent } from './agents.service.ts'
export type { Agent } from './agents.store.ts'
