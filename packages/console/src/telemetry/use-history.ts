import { useEffect, useRef, useState } from 'react'
import { useManc } from '../app/session.tsx'
import { type HistoryData, readHistory } from './read-history.ts'

/** A period of an access point, read on demand and until it is enough. */
export function useHistory(apId: string) {
  const manc = useManc()
  const [past, setPast] = useState<HistoryData>()
  const [error, setError] = useState<unknown>()
  const [isReading, setReading] = useState(false)
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])

  const read = async (from: Date, to: Date) => {
    stop.current?.abort()
    const own = new AbortController()
    stop.current = own
    setError(undefined)
    setReading(true)
    try {
      const stream = manc.telemetry.history(apId, { from, to, signal: own.signal })
      await readHistory(stream, {
        fromMs: from.getTime(),
        toMs: to.getTime(),
        onProgress: (news) => {
          if (!own.signal.aborted) setPast(news)
        },
      })
    } catch (failure) {
      if (!own.signal.aborted) setError(failure)
    } finally {
      if (stop.current === own) setReading(false)
    }
  }
  return {
    past,
    error,
    isReading,
    read: (from: Date, to: Date) => void read(from, to),
    cancel: () => stop.current?.abort(),
  }
}
