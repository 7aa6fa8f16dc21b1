import { limit, retryLater, seconds } from './kinds.ts'

/** WebSockets. */
export const socketSettings = {
  MANC_SOCKET_IDLE_SECONDS: seconds(86_400, 'A WebSocket without messages for this time is closed.'),
  MANC_SOCKETS: limit(
    1000,
    { owner: 'operator, admin or app', response: retryLater },
    'Maximum number of open WebSockets of one operator, administrator or app, per replica.',
  ),
  MANC_USER_SOCKETS: limit(
    50,
    { owner: 'standard user or agent', response: retryLater },
    'Maximum number of open WebSockets of one standard user or agent, per replica.',
  ),
  MANC_LIVE_SUBSCRIPTIONS: limit(
    200,
    { owner: 'operator, admin or app', response: retryLater },
    'Maximum number of open WebSockets with live data of one operator, administrator or app, per replica.',
  ),
  MANC_USER_LIVE_SUBSCRIPTIONS: limit(
    10,
    { owner: 'standard user or agent', response: retryLater },
    'Maximum number of open WebSockets with live data of one standard user or agent, per replica.',
  ),
  MANC_SOCKET_FRAMES_PER_SECOND: limit(
    20,
    { owner: 'WebSocket', response: 'closed with 4029' },
    'Maximum rate of frames from the client of a WebSocket, beside one acknowledgement for each message.',
  ),
}
