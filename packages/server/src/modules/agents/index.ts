export { type AgentsModule, createAgentsModule } from './agents.module.ts'
export { toJson } from './agents.routes.ts'
export { AgentService, type NewAgent } from './agents.service.ts'
export { type Agent, AgentStore } from './agents.store.ts'
