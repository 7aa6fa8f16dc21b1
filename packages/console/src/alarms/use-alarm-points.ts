import type { Alarm } from '@manc/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useManc } from '../app/session.tsx'
import { type Points, pointsIn } from '../telemetry/points.ts'
import { type AlarmPeriod, periodOf } from './alarm-period.ts'

interface AlarmPoints extends AlarmPeriod {
  points: Points
}

/** The values of the metric of an alarm around the time in which it was open. */
export function useAlarmPoints(alarm: Alarm) {
  const manc = useManc()
  const { ap_id: apId, metric, cleared_at: clearedAt } = alarm
  return useQuery({
    queryKey: ['alarm-points', alarm.id, clearedAt],
    queryFn: async ({ signal }): Promise<AlarmPoints> => {
      const nowMs = Date.now()
      const period = periodOf(alarm, nowMs)
      const { fromMs, toMs } = period
      if (!period.isHistory) {
        const window = `${Math.ceil((nowMs - fromMs) / 1000)}s`
        const { series } = await manc.telemetry.chart(apId, [metric], { window, signal })
        return { ...period, points: pointsIn(series[0]?.points ?? [], fromMs, toMs) }
      }
      const points: Points = { at: [], values: [] }
      const times = { from: new Date(fromMs), to: new Date(toMs), signal }
      for await (const point of manc.telemetry.history(apId, times)) {
        if (point.field !== metric) continue
        points.at.push(Date.parse(point.time))
        points.values.push(point.value)
      }
      return { ...period, points }
    },
    placeholderData: keepPreviousData,
    staleTime: ({ state }) => (state.data?.isOver ? Infinity : 60_000),
    refetchInterval: clearedAt === null && 10_000,
  })
}
