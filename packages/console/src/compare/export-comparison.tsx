import { ActionIcon, Button, Group, Menu, useComputedColorScheme } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconChevronDown, IconDownload, IconPhoto, IconTable } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { ChartGroup } from '../telemetry/chart-group.ts'
import { fileName, saveCsv, savePng } from '../telemetry/export-charts.ts'
import type { Metric } from '../telemetry/metrics.ts'
import { errorText } from '../ui/error-text.ts'
import type { Steps } from './buckets.ts'
import type { Subject } from './compare-lines.ts'
import { figuresCsv, valuesCsv } from './comparison-csv.ts'
import type { DrawnLine } from './drawn-values.ts'
import type { SubjectValues } from './use-comparison.ts'

interface ExportComparisonProps {
  subjects: readonly Subject[]
  metrics: readonly Metric[]
  values: readonly (SubjectValues | undefined)[]
  steps: Steps
  linesOf: (metric: string) => readonly DrawnLine[]
  isElapsed: boolean
  group: ChartGroup
  /** Beside the buttons. */
  children: ReactNode
}

/** Downloads of a comparison: its values, its figures, its charts. */
export function ExportComparison(props: ExportComparisonProps) {
  const { subjects, metrics, values, steps, linesOf, isElapsed, group, children } = props
  const scheme = useComputedColorScheme('light')
  const fromMs = values.find((each) => each)?.fromMs ?? Date.now()
  const name = fileName('comparison', fromMs)
  const saveImage = async () => {
    try {
      await savePng(name, subjects.map(({ label }) => label).join(' / '), group.plots, scheme)
    } catch (error) {
      notifications.show({ color: 'red', message: errorText(error) })
    }
  }
  return (
    <Group gap="sm">
      {children}
      <Button.Group>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconDownload size={14} />}
          onClick={() => saveCsv(name, valuesCsv({ subjects, metrics }, steps, linesOf, isElapsed))}
        >
          Export CSV
        </Button>
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>
            <ActionIcon variant="default" size={30} aria-label="Other exports">
              <IconChevronDown size={14} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              leftSection={<IconTable size={14} />}
              onClick={() => saveCsv(`${name} figures`, figuresCsv({ subjects, metrics }, values))}
            >
              Figures as CSV
            </Menu.Item>
            <Menu.Item leftSection={<IconPhoto size={14} />} onClick={() => void saveImage()}>
              Charts as PNG
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Button.Group>
    </Group>
  )
}
