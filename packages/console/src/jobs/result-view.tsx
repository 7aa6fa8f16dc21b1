import { Button, Chip, Group, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { formatCount, formatNumber } from '../format/number.ts'
import { saveFile } from '../ui/save-file.ts'
import type { Reading } from './job-readers.ts'
import { ResultTable } from './result-table.tsx'
import { cellOf, columnsOf, csvOf, jsonOf, maxShownRows } from './results.ts'

const maxStates = 12

/** The result as a table, with a filter by state and downloads. */
export function ResultView({ reading, name }: { reading: Reading; name: string }) {
  const [state, setState] = useState('')
  const [isBusy, setBusy] = useState(false)
  // The rows grow in place; `reading` is a new object after each change.
  const columns = useMemo(() => columnsOf(reading.rows), [reading])
  const states = useMemo(() => statesIn(reading.rows, columns), [reading, columns])
  const rows = useMemo(
    () => (state === '' ? reading.rows : reading.rows.filter((row) => cellOf(row, 'state') === state)),
    [reading, state],
  )
  if (reading.rows.length === 0) return null
  const save = async (file: Promise<Blob>, extension: string) => {
    setBusy(true)
    try {
      saveFile(`${name}.${extension}`, await file)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="sm">
        <Text size="sm" role="status" className="figures">
          {formatCount(rows.length, 'row')}
          {rows.length > maxShownRows && `, first ${formatNumber(maxShownRows)} shown`}
          {reading.dropped > 0 && `, ${formatNumber(reading.dropped)} older rows dropped`}
        </Text>
        <Group gap="sm">
          <Button
            size="xs"
            variant="default"
            loading={isBusy}
            leftSection={<IconDownload size={14} />}
            onClick={() => void save(jsonOf(rows), 'json')}
          >
            Save JSON
          </Button>
          {columns && (
            <Button
              size="xs"
              variant="default"
              loading={isBusy}
              leftSection={<IconDownload size={14} />}
              onClick={() => void save(csvOf(rows, columns), 'csv')}
            >
              Save CSV
            </Button>
          )}
        </Group>
      </Group>
      {states.length > 1 && (
        <Chip.Group value={state} onChange={(value) => setState(value)}>
          <Group gap={6} role="group" aria-label="Filter by state">
            <Chip size="xs" variant="outline" value="">
              all
            </Chip>
            {states.map(([each, n]) => (
              <Chip key={each} size="xs" variant="outline" value={each}>
                {each.replace('_', ' ')} {formatNumber(n)}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
      )}
      <ResultTable rows={rows} columns={columns} />
    </Stack>
  )
}

/** The states in the result with their counts; empty if it has no column for them. */
function statesIn(rows: readonly unknown[], columns: readonly string[] | undefined): [string, number][] {
  if (!columns?.includes('state')) return []
  const counts = new Map<string, number>()
  for (const row of rows) {
    const state = cellOf(row, 'state')
    counts.set(state, (counts.get(state) ?? 0) + 1)
    if (counts.size > maxStates) return []
  }
  return [...counts]
}
