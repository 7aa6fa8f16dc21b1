import type { NetworkEvent } from '@manc/sdk'
import { useEffect, useRef, useState } from 'react'
import { reportSessionEnd } from '../app/query-client.ts'
import { useManc } from '../app/session.tsx'
import type { EventFilter } from './events-search.ts'
import { keepFollowing } from './keep-following.ts'

/** Beyond it the list of the controller is read again. */
const maxEvents = 500
const updateIntervalMs = 250
const restartDelayMs = 30_000

interface LiveEvents {
  /** Newest first. */
  events: readonly NetworkEvent[]
  /** Changes when the list has to be read again, to have all events before these. */
  listKey: number
  /** Why there are no new events at present. */
  error: unknown
}

const none: LiveEvents = { events: [], listKey: 0, error: undefined }

/** Events as they happen; none if it is not enabled. Another key starts again. */
export function useLiveEvents(key: string, filter: EventFilter, isEnabled: boolean): LiveEvents {
  const manc = useManc()
  const [state, setState] = useState(none)
  const latest = useRef(filter)
  latest.current = filter
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the filter
  useEffect(() => {
    if (!isEnabled) return setState(none)
    const abort = new AbortController()
    let pending: NetworkEvent[] = []
    const readListAgain = () => {
      pending = []
      setState(({ listKey }) => ({ events: [], listKey: listKey + 1, error: undefined }))
    }
    const follow = async () => {
      const { signal } = abort
      const options = { ...latest.current, signal, onStart: readListAgain, onGap: readListAgain }
      for await (const event of manc.events.follow(options)) {
        pending.push(event)
        // The list has all of them, in pages.
        if (pending.length > maxEvents) readListAgain()
      }
    }
    // In batches: thousands of access points may change at the same time.
    const timer = setInterval(() => {
      if (pending.length === 0) return
      const added = pending.toReversed()
      pending = []
      setState(({ events, listKey, error }) =>
        events.length + added.length > maxEvents
          ? { events: [], listKey: listKey + 1, error }
          : { events: [...added, ...events], listKey, error },
      )
    }, updateIntervalMs)
    setState(none)
    void keepFollowing({
      follow,
      signal: abort.signal,
      delayMs: restartDelayMs,
      onError: (error) => {
        setState((before) => ({ ...before, error }))
        reportSessionEnd(error)
      },
    })
    return () => {
      clearInterval(timer)
      abort.abort()
    }
  }, [key, manc, isEnabled])
  return state
}
