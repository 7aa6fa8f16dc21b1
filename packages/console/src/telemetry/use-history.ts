import { useEffect, useRef, useState } from 'react'
import { useManc } from '../app/session.tsx'
import { type HistoryData, readHistory } from './read-history.ts'

/** Loads the history of an access point on request; loading can be cancelled. */
export function useHistory(apId: string) {
  const manc = useManc()
  const [data, setData] = useState<HistoryData>()
  const [error, setError] = useState<unknown>()
  const [isReading, setReading] = useState(false)
  const abort = useRef<AbortController>(undefined)
  useEffect(() => () => abort.current?.abort(), [])

  const read = async (from: Date, to: Date) => {
    abort.current?.abort()
    const controller = new AbortController()
    abort.current = controller
    setError(undefined)
    setReading(true)
    try {
      const stream = manc.telemetry.history(apId, { from, to, signal: controller.signal })
      await readHistory(stream, {
        fromMs: from.getTime(),
        toMs: to.getTime(),
        onProgress: (loaded) => {
          if (!controller.signal.aborted) setData(loaded)
        },
      })
    } catch (failure) {
      if (!controller.signal.aborted) setError(failure)
    } finally {
      if (abort.current === controller) setReading(false)
    }
  }
  return {
    data,
    error,
    isReading,
    read: (from: Date, to: Date) => void read(from, to),
    cancel: () => abort.current?.abort(),
  }
}
