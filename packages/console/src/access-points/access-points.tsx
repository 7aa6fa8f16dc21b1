import './access-points.css'
import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import { useCurrentUser } from '../app/current-user.ts'
import { registerHash, useDialogHash } from '../app/dialog-hash.ts'
import { useManc } from '../app/session.tsx'
import { HiddenEmulated } from '../fleet/hidden-emulated.tsx'
import { type Table, useTable } from '../fleet/use-table.ts'
import { formatCount } from '../format/number.ts'
import { announce } from '../ui/announce.tsx'
import { errorText } from '../ui/error-text.ts'
import { Age, Empty, Failure, Loading } from '../ui/states.tsx'
import { AccessPointTable } from './access-point-table.tsx'
import { idsBetween } from './export-csv.ts'
import { RowActions } from './row-actions.tsx'
import { everything, nothing, type Selection, sizeOf, withSelected } from './selection.ts'
import { SelectionBar } from './selection-bar.tsx'
import { filterOf, type TableState } from './table-search.ts'
import { SortField, TableFilters, TableLayout } from './table-toolbar.tsx'
import { useTableState } from './use-table-state.ts'
import { ViewsMenu } from './views-menu.tsx'

/** Loaded when they are used. */
const dialogs = () => import('../administration/access-point-dialogs.tsx')
const RegisterAgent = lazy(async () => ({ default: (await dialogs()).RegisterAgent }))
const ReplacePassword = lazy(async () => ({ default: (await dialogs()).ReplacePassword }))
const RemoveAgent = lazy(async () => ({ default: (await dialogs()).RemoveAgent }))

type Agent = { ap_id: string; name: string | null }
type Open = { what: 'register' } | { what: 'password' | 'remove'; agent: Agent }

/** All access points in one table. */
export function AccessPoints() {
  const { table, change } = useTableState()
  const [range, setRange] = useState<readonly [number, number]>([0, 0])
  const data = useTable({ ...filterOf(table), sort: table.sort, order: table.order }, ...range)
  const [selection, setSelection] = useSelection(table)
  const [open, setOpen] = useState<Open>()
  const me = useCurrentUser()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const isPhone = useMediaQuery('(max-width: 48em)') ?? false
  const total = data.total ?? 0
  const selectBetween = useSelectBetween(table, data, selection, setSelection)
  const register = useDialogHash(registerHash)
  const close = () => {
    setOpen(undefined)
    register.clear()
  }
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['fleet'] })
  return (
    <div className="ap-page">
      <Stack gap="sm" px="lg" py="md">
        <Group justify="space-between" gap="sm">
          <Group gap="md" align="baseline">
            <Title order={1} size="h4">
              Access points
            </Title>
            <Text size="sm" c="dimmed" role="status" className="figures">
              {data.total === undefined ? '' : formatCount(total, 'access point')}
            </Text>
            <Age at={data.updatedAt} lateAfterS={15} />
          </Group>
          <Group gap="sm">
            <ViewsMenu table={table} change={change} />
            {isPhone ? (
              <SortField table={table} change={change} />
            ) : (
              <TableLayout table={table} change={change} />
            )}
            {me.isAdmin && (
              <Button
                size="xs"
                leftSection={<IconPlus size={14} />}
                onClick={() => setOpen({ what: 'register' })}
              >
                Register access point
              </Button>
            )}
          </Group>
        </Group>
        <TableFilters table={table} change={change} />
        {!data.hasMetrics && (
          <Alert color="yellow" py="xs" title="Metrics are not available">
            The metrics store does not respond. Health and state are current.
          </Alert>
        )}
      </Stack>
      <Content
        table={table}
        data={data}
        onShowEmulated={() => change({ emulated: 'all' })}
        onClear={() => change({ text: '', technology: [], state: [], health: [] })}
      >
        <AccessPointTable
          table={table}
          change={change}
          data={data}
          onRange={(first, last) => setRange([first, last])}
          selection={selection}
          onSelect={setSelection}
          onSelectBetween={selectBetween}
          onSelectAll={() => setSelection(everything)}
          onOpen={(apId) => void navigate({ to: '/access-points/$apId', params: { apId } })}
          actions={
            me.isAdmin
              ? (ap_id, name, isFocused) => (
                  <RowActions
                    row={{ ap_id, name }}
                    isFocused={isFocused}
                    onReplacePassword={() => setOpen({ what: 'password', agent: { ap_id, name } })}
                    onRemove={() => setOpen({ what: 'remove', agent: { ap_id, name } })}
                  />
                )
              : undefined
          }
          isPhone={isPhone}
        />
      </Content>
      {sizeOf(selection, total) > 0 && (
        <SelectionBar table={table} selection={selection} total={total} onSelect={setSelection} />
      )}
      <Suspense>
        {(open?.what === 'register' || (register.isAsked && me.isAdmin)) && (
          <RegisterAgent onClose={close} onChanged={refresh} />
        )}
        {open?.what === 'password' && <ReplacePassword agent={open.agent} onClose={close} />}
        {open?.what === 'remove' && <RemoveAgent agent={open.agent} onClose={close} onChanged={refresh} />}
      </Suspense>
    </div>
  )
}

/** A selection of all that match belongs to its filters. */
function useSelection(table: TableState): [Selection, (selection: Selection) => void] {
  const filter = JSON.stringify(filterOf(table))
  const [state, setState] = useState({ filter, selection: nothing })
  const isOther = state.selection.isAll && state.filter !== filter
  return [isOther ? nothing : state.selection, (selection) => setState({ filter, selection })]
}

/** Selects the rows between two indexes. Those that are not read yet are read first. */
function useSelectBetween(
  table: TableState,
  data: ReturnType<typeof useTable>,
  selection: Selection,
  onSelect: (selection: Selection) => void,
) {
  const manc = useManc()
  // When the rows are read, the selection or the filter may be another one.
  const latest = useRef({ query: data.query, selection, onSelect })
  latest.current = { query: data.query, selection, onSelect }
  return (first: number, last: number) => {
    const add = (ids: readonly string[]) =>
      latest.current.onSelect(withSelected(latest.current.selection, ids))
    const known = Array.from({ length: last - first + 1 }, (_, n) => data.rowAt(first + n)?.ap_id)
    if (known.every((apId) => apId !== undefined)) return add(known)
    idsBetween((query) => manc.fleet.table(query), table, first, last)
      .then((ids) => latest.current.query === data.query && add(ids))
      .catch((error: unknown) => announce(errorText(error)))
  }
}

interface ContentProps {
  table: TableState
  data: Table
  onShowEmulated: () => void
  onClear: () => void
  children: ReactNode
}

/** The table, or why there is none. */
function Content({ table, data, onShowEmulated, onClear, children }: ContentProps) {
  if (data.error && data.total === undefined) return <Failure error={data.error} onRetry={data.retry} />
  if (data.total === undefined) return <Loading what="access points" />
  if (data.total > 0)
    return (
      <>
        {data.error && <Failure error={data.error} onRetry={data.retry} />}
        {children}
      </>
    )
  const { emulated: _emulated, ...filters } = filterOf(table)
  if (Object.keys(filters).length > 0)
    return (
      <Empty title="No matches">
        No access point matches all filters.
        <Button size="xs" variant="default" mt="sm" display="block" mx="auto" onClick={onClear}>
          Clear filters
        </Button>
      </Empty>
    )
  return (
    <Empty title="No access points">
      Register one, create an enrolment token so that agents register themselves, or emulate a network.
      <HiddenEmulated emulated={table.emulated} state="hidden" action="Show" onInclude={onShowEmulated} />
    </Empty>
  )
}
