import type { EmulatedChoice, EventFrame, EventKind, EventSeverity, NetworkEvent } from '@manc/contract'
import { eventStreamPath } from '@manc/contract/socket-protocol'
import { type EventsFilter, EventsMethods } from './generated/methods.ts'
import { receive } from './socket.ts'
import type { Stream } from './stream.ts'
import type { CallOptions } from './transport.ts'

export interface FollowOptions extends CallOptions {
  /** The id of the last event that you have. Without it, the first one is the next that happens. */
  after?: string
  ap_id?: string
  kind?: readonly EventKind[]
  severity?: readonly EventSeverity[]
  emulated?: EmulatedChoice
  /** Events are missing before the next one: `after` has expired, or is of another database. Read the list. */
  onGap?: () => void
  /** The stream has started: from now on no event is missed. Called once. */
  onStart?: () => void
}

/** More frames than this are not buffered for a slow reader: the controller sends them again later. */
const maxBufferedFrames = 20

export class Events extends EventsMethods {
  /** All matching events, newest first, in one response that is read while you iterate. */
  async *export({
    ap_id,
    kind,
    severity,
    emulated,
    from,
    to,
    ...options
  }: EventsFilter & CallOptions = {}): Stream<NetworkEvent> {
    const query = { ap_id, kind, severity, emulated, from, to }
    for await (const line of this.transport.lines('exportEvents', { query }, options))
      yield JSON.parse(line) as NetworkEvent
  }

  /**
   * Events as they happen, each once, until the iteration stops. After an outage it continues behind the last event. To also
   * get earlier ones, read the list when `onStart` is called, and leave out those that you have.
   */
  async *follow({ after, onGap, onStart, signal, ...filter }: FollowOptions = {}): Stream<NetworkEvent> {
    let position = after
    let isStarted = false
    const received = receive(this.transport, {
      path: () => `${eventStreamPath}?${queryOf({ ...filter, after: position }).toString()}`,
      parse: frameOf,
      bound: (frames) => frames.length <= maxBufferedFrames,
      probe: (options) => this.transport.call('listEvents', { query: { limit: 1 } }, options),
      signal,
    })
    for await (const { message: frame } of received) {
      if (frame.type === 'start') {
        if (!frame.is_complete) onGap?.()
        if (!isStarted) onStart?.()
        isStarted = true
      } else
        for (const event of frame.events) {
          position = event.id
          yield event
        }
      position = frame.after
    }
  }
}

function queryOf(values: Readonly<Record<string, string | readonly string[] | undefined>>): URLSearchParams {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values))
    for (const each of typeof value === 'string' ? [value] : (value ?? [])) query.append(name, each)
  return query
}

function frameOf(text: string): EventFrame | undefined {
  try {
    const frame = JSON.parse(text) as EventFrame
    return frame.type === 'start' || frame.type === 'events' ? frame : undefined
  } catch {
    return undefined
  }
}
