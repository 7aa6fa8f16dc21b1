import type { FleetAgent } from '@manc/sdk'
import { Button, Menu, Text, useComputedColorScheme } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDatabase, IconDownload, IconPhoto, IconTable } from '@tabler/icons-react'
import type { Period } from '../range/time-range.ts'
import { errorText } from '../ui/error-text.ts'
import type { ChartGroup } from './chart-group.ts'
import { saveCsv, savePng } from './export-charts.ts'
import { useHistoryDownload } from './use-history-download.ts'

interface ExportMenuProps {
  name: string
  title: string
  group: ChartGroup
  csv: () => string
  agent: FleetAgent
  period: Period
}

/** Downloads of all charts of an access point. */
export function ExportMenu({ name, title, group, csv, agent, period }: ExportMenuProps) {
  const scheme = useComputedColorScheme('light')
  const history = useHistoryDownload(agent.ap_id)
  const saveImage = async () => {
    try {
      await savePng(name, title, group.plots, scheme)
    } catch (error) {
      notifications.show({ color: 'red', message: errorText(error) })
    }
  }
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button size="xs" variant="default" leftSection={<IconDownload size={14} />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconTable size={14} />} onClick={() => saveCsv(name, csv())}>
          Values as CSV
        </Menu.Item>
        <Menu.Item leftSection={<IconPhoto size={14} />} onClick={() => void saveImage()}>
          Charts as PNG
        </Menu.Item>
        <Menu.Item
          leftSection={<IconDatabase size={14} />}
          disabled={history.isReading}
          onClick={() => history.start(period)}
        >
          All stored values as CSV
          <Text size="xs" c="dimmed">
            Every sample of every metric in this period
          </Text>
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
