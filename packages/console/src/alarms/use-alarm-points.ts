import type { Alarm } from '@manc/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useManc } from '../app/session.tsx'
import { type Points, pointsIn } from '../telemetry/points.ts'

/** Shown before an alarm is raised and after it is cleared. */
const marginMs = 15 * 60_000
/** Averages over longer times hide short alarms: then the stored values of the period are read. */
const maxWindowMs = 24 * 3_600_000

export interface AlarmPoints {
  fromMs: number
  toMs: number
  points: Points
}

/** The values of the metric of an alarm around the time in which it was open. */
export function useAlarmPoints(alarm: Alarm) {
  const manc = useManc()
  const { ap_id: apId, metric, raised_at: raisedAt, cleared_at: clearedAt } = alarm
  return useQuery({
    queryKey: ['alarm-points', alarm.id, clearedAt],
    queryFn: async ({ signal }): Promise<AlarmPoints> => {
      const nowMs = Date.now()
      const fromMs = Date.parse(raisedAt) - marginMs
      const toMs = clearedAt === null ? nowMs : Math.min(nowMs, Date.parse(clearedAt) + marginMs)
      if (clearedAt === null || nowMs - fromMs <= maxWindowMs) {
        const window = `${Math.ceil((nowMs - fromMs) / 1000)}s`
        const { series } = await manc.telemetry.chart(apId, [metric], { window, signal })
        return { fromMs, toMs, points: pointsIn(series[0]?.points ?? [], fromMs, toMs) }
      }
      const points: Points = { at: [], values: [] }
      const period = { from: new Date(fromMs), to: new Date(toMs), signal }
      for await (const point of manc.telemetry.history(apId, period)) {
        if (point.field !== metric) continue
        points.at.push(Date.parse(point.time))
        points.values.push(point.value)
      }
      return { fromMs, toMs, points }
    },
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    refetchInterval: clearedAt === null && 10_000,
  })
}
