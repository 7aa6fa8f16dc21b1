export { type Answer, type Call, call, logIn, tokenOf } from './client.ts'
export {
  admin,
  type Environment,
  makePlace,
  management,
  type Place,
  type Replica,
  sqlAt,
  startReplica,
} from './environment.ts'
export { fresh } from './fresh.ts'
export { closedPort } from './ports.ts'
export { runToEnd, type ServerProcess, startProcess } from './process.ts'
export { makeStage, questions, type Stage } from './stage.ts'
