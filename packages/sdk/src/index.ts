export type * from '@manc/contract'
export type { ManyNews, SentToMany } from './commands.ts'
export type { Emulation } from './emulator.ts'
export {
  Conflict,
  Invalid,
  JobFailed,
  MancError,
  NotAllowed,
  NotFound,
  NotLoggedIn,
  Refused,
  SessionEnded,
  SocketClosed,
  TooManyRequests,
  Unavailable,
  Unreachable,
} from './errors.ts'
export type { FollowOptions } from './events.ts'
export type { FleetCellsOptions, FleetFilter, FleetOptions, FleetTableOptions } from './fleet.ts'
export type * from './generated/methods.ts'
export { Manc } from './manc.ts'
export { RunningJob } from './running-job.ts'
export type { Credentials, KeptToken } from './session.ts'
export type { ReadOptions } from './socket.ts'
export type { Stream } from './stream.ts'
export type { WindowOptions } from './telemetry.ts'
export type { TlsOptions } from './tls-options.ts'
export type { CallOptions, MancOptions, PageOptions } from './transport.ts'
