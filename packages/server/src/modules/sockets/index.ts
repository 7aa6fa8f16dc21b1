export type { Happening } from './live-feed.ts'
export type { LiveSource } from './live-source.ts'
export { socketRoutes } from './socket.routes.ts'
export { Sockets } from './sockets.ts'
