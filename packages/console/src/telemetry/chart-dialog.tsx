import { useViewportSize } from '@mantine/hooks'
import { useState } from 'react'
import { formatWithUnit } from '../format/number.ts'
import { ModalDialog } from '../ui/modal-dialog.tsx'
import { ChartGroup } from './chart-group.ts'
import { ChartHeader, type ChartProps, Plot } from './chart-parts.tsx'
import { CursorValues } from './cursor-values.tsx'
import { indexAt } from './points.ts'

/** Title, header, values at the cursor and margins. */
const otherHeight = 230

/** One chart on the whole screen. */
export function ChartDialog({ chart, onClose }: { chart: ChartProps; onClose: () => void }) {
  const { height } = useViewportSize()
  const [group] = useState(() => new ChartGroup(`${chart.group.key} large`))
  const { title, caption = title, lines, data, unit = '' } = chart
  const [at, ...columns] = data
  return (
    <ModalDialog title={caption} fullScreen onClose={onClose}>
      <figure className="chart">
        <ChartHeader {...chart} group={group} />
        <CursorValues
          group={group}
          isElapsed={chart.isElapsed ?? false}
          at={(cursorMs) => {
            const index = Math.max(0, indexAt(at as number[], cursorMs + 1) - 1)
            return lines.map(({ label }, n) => ({
              label: lines.length === 1 ? caption : label,
              value: formatWithUnit(columns[n]?.[index] ?? undefined, unit),
            }))
          }}
        />
        <Plot {...chart} group={group} height={Math.max(180, height - otherHeight)} />
      </figure>
    </ModalDialog>
  )
}
