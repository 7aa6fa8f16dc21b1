import { ActionIcon, Menu, useComputedColorScheme } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDots, IconMaximize, IconPhoto, IconTable } from '@tabler/icons-react'
import { errorText } from '../ui/error-text.ts'
import type { ChartProps } from './chart-parts.tsx'
import { toCsv } from './csv.ts'
import { fileName, saveCsv, savePng } from './export-charts.ts'

interface ChartActionsProps {
  chart: ChartProps
  onEnlarge: () => void
}

/** Full screen and downloads of one chart. */
export function ChartActions({ chart, onEnlarge }: ChartActionsProps) {
  const scheme = useComputedColorScheme('light')
  const { title, caption = title, group, toMs } = chart
  const file = fileName(`${chart.fileName ?? 'chart'} ${caption}`, chart.isElapsed ? Date.now() : toMs)
  const saveImage = async () => {
    const plot = group.plots.get(title)
    try {
      await savePng(file, chart.fileName ?? caption, new Map(plot ? [[title, plot]] : []), scheme)
    } catch (error) {
      notifications.show({ color: 'red', message: errorText(error) })
    }
  }
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon size="sm" variant="subtle" color="gray" aria-label={`Actions for ${caption}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconMaximize size={14} />} onClick={onEnlarge}>
          Full screen
        </Menu.Item>
        <Menu.Item leftSection={<IconTable size={14} />} onClick={() => saveCsv(file, csvOf(chart))}>
          Download CSV
        </Menu.Item>
        <Menu.Item leftSection={<IconPhoto size={14} />} onClick={() => void saveImage()}>
          Download PNG
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** The values as they are drawn. */
function csvOf({ data, lines, isElapsed = false }: ChartProps): string {
  const [at, ...columns] = data
  return toCsv(
    columns.map((values, n) => {
      const points = { at: [] as number[], values: [] as number[] }
      for (const [index, value] of [...values].entries()) {
        if (typeof value !== 'number') continue
        points.at.push(at[index] ?? 0)
        points.values.push(value)
      }
      return { name: lines[n]?.label ?? '', points }
    }),
    isElapsed ? 'elapsed' : 'time',
  )
}
