import { Button, Group, Text, Tooltip } from '@mantine/core'
import { IconBellOff, IconChartLine, IconDownload, IconSend, IconSettings, IconX } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useCurrentUser } from '../app/current-user.ts'
import { useManc } from '../app/session.tsx'
import { maxInGroup, toSearch } from '../compare/compare-search.ts'
import { formatCount, formatNumber } from '../format/number.ts'
import { announce } from '../ui/announce.tsx'
import { errorText } from '../ui/error-text.ts'
import { saveFile } from '../ui/save-file.ts'
import { selectedRows, toCsv } from './export-csv.ts'
import { everything, nothing, type Selection, sizeOf } from './selection.ts'
import type { TableState } from './table-search.ts'

/** Loaded when it is used: it is as large as the table. */
const SilenceDialog = lazy(async () => ({
  default: (await import('../silences/silence-dialog.tsx')).SilenceDialog,
}))

const maxCommanded = 10_000
const maxConfigured = 10_000
const maxSilenced = 100

interface SelectionBarProps {
  table: TableState
  selection: Selection
  total: number
  onSelect: (selection: Selection) => void
}

/** What can be done with the selected access points. */
export function SelectionBar({ table, selection, total, onSelect }: SelectionBarProps) {
  const manc = useManc()
  const me = useCurrentUser()
  const navigate = useNavigate()
  const [busy, setBusy] = useState<string>()
  const [silenced, setSilenced] = useState<string[]>()
  const size = sizeOf(selection, total)
  const rows = () => selectedRows((query) => manc.fleet.table(query), table, selection)
  const idsOf = async () =>
    selection.isAll ? (await rows()).map(({ ap_id: apId }) => apId) : [...selection.ids]
  const run = async (what: string, act: () => Promise<unknown>) => {
    setBusy(what)
    try {
      await act()
    } catch (error) {
      announce(errorText(error))
    } finally {
      setBusy(undefined)
    }
  }
  const command = async () => {
    const accessPoints = await idsOf()
    await navigate({ to: '/jobs', hash: 'send', state: { accessPoints } })
  }
  const configure = async () => {
    const accessPoints = await idsOf()
    await navigate({ to: '/administration/rollouts', search: { open: 'new' }, state: { accessPoints } })
  }
  const compare = async () => navigate({ to: '/compare', search: toSearch({ agents: await idsOf() }) })
  const exportRows = async () => {
    const csv = toCsv(await rows(), table.columns)
    saveFile('access-points.csv', new Blob([csv], { type: 'text/csv' }))
  }
  const action = (label: string, icon: ReactNode, act: () => Promise<unknown>, max = Infinity) => (
    <Tooltip label={`At most ${formatNumber(max)}`} disabled={size <= max}>
      <Button
        size="xs"
        variant="default"
        leftSection={icon}
        loading={busy === label}
        disabled={size === 0 || size > max}
        onClick={() => void run(label, act)}
      >
        {label}
      </Button>
    </Tooltip>
  )
  return (
    <Group className="ap-selection" gap="sm" px="lg" py="sm" role="group" aria-label="Selected access points">
      <Text size="sm" fw={600} role="status" className="figures">
        {formatNumber(size)} selected
      </Text>
      {!selection.isAll && size < total && (
        <Button size="xs" variant="subtle" onClick={() => onSelect(everything)}>
          Select all {formatNumber(total)}
        </Button>
      )}
      <Button size="xs" variant="subtle" leftSection={<IconX size={14} />} onClick={() => onSelect(nothing)}>
        Clear
      </Button>
      {me.isOperator && action('Send command', <IconSend size={14} />, command, maxCommanded)}
      {action('Compare', <IconChartLine size={14} />, compare, maxInGroup)}
      {me.isOperator &&
        action('Silence', <IconBellOff size={14} />, async () => setSilenced(await idsOf()), maxSilenced)}
      {me.isAdmin && action('Change configuration', <IconSettings size={14} />, configure, maxConfigured)}
      {action('Export CSV', <IconDownload size={14} />, exportRows)}
      {silenced && (
        <Suspense>
          <SilenceDialog
            title={`Silence ${formatCount(silenced.length, 'access point')}`}
            start={{ ap_ids: silenced }}
            onChanged={async () => {}}
            onClose={() => setSilenced(undefined)}
          />
        </Suspense>
      )}
    </Group>
  )
}
