import { notifications } from '@mantine/notifications'
import { useEffect, useRef, useState } from 'react'
import { useManc } from '../app/session.tsx'
import { formatNumber } from '../format/number.ts'
import type { Period } from '../range/time-range.ts'
import { errorText } from '../ui/error-text.ts'
import { toCsv } from './csv.ts'
import { fileName, saveCsv } from './export-charts.ts'
import { type HistoryData, readHistory } from './read-history.ts'

/** Downloads all values of a period. Leaving the page cancels it. */
export function useHistoryDownload(apId: string) {
  const manc = useManc()
  const [isReading, setReading] = useState(false)
  const abort = useRef<AbortController>(undefined)
  useEffect(() => () => abort.current?.abort(), [])

  const read = async ({ fromMs, toMs }: Period) => {
    const controller = new AbortController()
    abort.current = controller
    setReading(true)
    const id = notifications.show({ loading: true, autoClose: false, message: 'Loading values…' })
    const hide = () => notifications.hide(id)
    controller.signal.addEventListener('abort', hide)
    try {
      const { signal } = controller
      const times = { from: new Date(fromMs), to: new Date(toMs) }
      let data: HistoryData | undefined
      await readHistory(manc.telemetry.history(apId, { ...times, signal }), {
        fromMs,
        toMs,
        onProgress: (loaded) => {
          data = loaded
          const message = `${formatNumber(loaded.count)} values loaded`
          if (!signal.aborted) notifications.update({ id, loading: true, autoClose: false, message })
        },
      })
      const columns = [...(data?.series ?? [])].map(([name, points]) => ({ name, points }))
      saveCsv(fileName(`${apId} history`, fromMs), toCsv(columns))
      notifications.update({
        id,
        loading: false,
        autoClose: 5000,
        message: `${formatNumber(data?.count ?? 0)} values saved`,
      })
    } catch (error) {
      if (!controller.signal.aborted)
        notifications.update({
          id,
          loading: false,
          color: 'red',
          autoClose: false,
          message: errorText(error),
        })
    } finally {
      setReading(false)
    }
  }
  return { isReading, start: (period: Period) => void read(period) }
}
