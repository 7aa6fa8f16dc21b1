export { brokerManagement, rabbitmqMajor } from './broker-management.ts'
export { admin, createEnvironment, serverVariables, TestEnvironment, type Variables } from './environment.ts'
export { type ApiResponse, call, logIn, type RequestOptions, tokenOf } from './http-client.ts'
export {
  brokerRequestCounts,
  createIsolatedEnvironment,
  IsolatedEnvironment,
} from './isolated-environment.ts'
export { closedPort } from './ports.ts'
export { type Replica, startReplica } from './replica.ts'
export { runServerCommand, type ServerProcess, startServerProcess } from './server-process.ts'
export { sqlAt } from './sql.ts'
export { type ReceivedSpan, startTraceReceiver, type TraceReceiver } from './trace-receiver.ts'
export { uniqueName } from './unique-name.ts'
