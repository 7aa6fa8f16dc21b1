import type { Decision } from '@manc/sdk'
import { Button, Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDownload, IconFileText, IconTable } from '@tabler/icons-react'
import { useState } from 'react'
import { useManc } from '../app/session.tsx'
import type { TimeRange } from '../range/time-range.ts'
import { errorText } from '../ui/error-text.ts'
import { saveFile } from '../ui/save-file.ts'
import { decisionsCsv } from './decisions-csv.ts'
import type { DecisionsSearch } from './decisions-search.ts'
import { queryOf } from './use-decisions.ts'

interface ExportDecisionsProps {
  search: DecisionsSearch
  range: TimeRange | undefined
}

/** Downloads of all decisions that match. */
export function ExportDecisions({ search, range }: ExportDecisionsProps) {
  const manc = useManc()
  const [isReading, setReading] = useState(false)
  const save = async (name: string, type: string, textOf: (decisions: Decision[]) => string) => {
    setReading(true)
    try {
      const decisions = await Array.fromAsync(manc.decisions.export(queryOf(search, range)))
      saveFile(name, new Blob([textOf(decisions)], { type }))
    } catch (error) {
      notifications.show({ color: 'red', message: errorText(error) })
    } finally {
      setReading(false)
    }
  }
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} />} loading={isReading}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconTable size={14} />}
          onClick={() => void save('decisions.csv', 'text/csv', decisionsCsv)}
        >
          Effects as CSV
        </Menu.Item>
        <Menu.Item
          leftSection={<IconFileText size={14} />}
          onClick={() =>
            void save('decisions.jsonl', 'application/x-ndjson', (decisions) =>
              decisions.map((decision) => `${JSON.stringify(decision)}\n`).join(''),
            )
          }
        >
          Decisions as JSON lines
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
