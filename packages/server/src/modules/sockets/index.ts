export type { ClientSocket } from './client-socket.connection.ts'
export type { LiveItem, LiveSource } from './live.types.ts'
export { createSocketsModule, type SocketsModule } from './sockets.module.ts'
