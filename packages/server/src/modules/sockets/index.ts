export type { Happening } from './live-feed.ts'
export type { LiveSource } from './live-source.ts'
export { createSocketsModule, type SocketsModule } from './sockets.module.ts'
