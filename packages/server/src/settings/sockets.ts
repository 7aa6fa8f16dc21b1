import { limit, retryLater, seconds } from './kinds.ts'

/** WebSockets. */
export const socketSettings = {
  MANC_SOCKET_IDLE_SECONDS: seconds(86_400, 'A WebSocket without messages for this time is closed.'),
  MANC_SOCKETS: limit(
    50,
    { owner: 'user or agent; 20 times as much for operators, administrators and apps', response: retryLater },
    'Maximum number of open WebSockets of one caller, per replica.',
  ),
  MANC_LIVE_SUBSCRIPTIONS: limit(
    10,
    { owner: 'user or agent; 20 times as much for operators, administrators and apps', response: retryLater },
    'Maximum number of open WebSockets of one caller with live data, per replica.',
  ),
  MANC_SOCKET_FRAMES_PER_SECOND: limit(
    20,
    { owner: 'WebSocket', response: 'closed with 4029' },
    'Maximum rate of frames from the client of a WebSocket, beside one acknowledgement for each message.',
  ),
}
