import type { AuditAction, AuditRecord } from '@manc/sdk'
import { Button, Center, Group, Stack } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useManc } from '../app/session.tsx'
import { usePagedList } from '../app/use-paged-list.ts'
import { RangePicker } from '../range/range-picker.tsx'
import { periodOf } from '../range/time-range.ts'
import { useTimeRange } from '../range/use-time-range.ts'
import { Empty, Failure, Loading } from '../ui/states.tsx'
import { AuditEntries } from './audit-entries.tsx'
import { AuditExport, type AuditRequest } from './audit-export.tsx'
import { AuditFilter, type AuditFilterValues } from './audit-filter.tsx'
import { type AuditSearch, parseAuditSearch } from './audit-search.ts'
import { actionLabels } from './audit-sentences.ts'

const pageSize = 50

export function AuditLog() {
  const manc = useManc()
  const search = useSearch({ from: '/inside/administration/audit' })
  const navigate = useNavigate()
  const [filter, setFilter] = useState(() => filterIn(search))
  const [retries, setRetries] = useState(0)
  const [{ actor, action, target }] = useDebouncedValue(filter, 300)
  const range = useTimeRange(undefined)
  const written = useRef(JSON.stringify(filterIn(search)))
  // A link or the back button has changed the address.
  useEffect(() => {
    const next = filterIn(search)
    if (JSON.stringify(next) === written.current) return
    written.current = JSON.stringify(next)
    setFilter(next)
  }, [search])
  useEffect(() => {
    const next = parseAuditSearch({ actor, action, target })
    written.current = JSON.stringify(filterIn(next))
    void navigate({
      to: '/administration/audit',
      search: next,
      replace: true,
      resetScroll: false,
    })
  }, [navigate, actor, action, target])
  const request = (): AuditRequest => {
    const period = range.range && periodOf(range.range, Date.now())
    return {
      ...(actor.trim() !== '' && { actor: actor.trim() }),
      ...(action && { action }),
      ...(target.trim() !== '' && { target: target.trim() }),
      ...(period && { from: new Date(period.fromMs), to: new Date(period.toMs) }),
    }
  }
  const records = usePagedList<AuditRecord>(
    JSON.stringify([actor, action, target, range.range, retries]),
    (signal) => manc.audit.list({ signal, pageSize, ...request() }),
    pageSize,
  )
  return (
    <Stack gap="md">
      <Group gap="sm" align="flex-end">
        <AuditFilter filter={filter} onChange={setFilter} />
        <RangePicker {...range} anyTime="Any time" />
        <AuditExport request={request} />
      </Group>
      {records.error !== undefined && (
        <Failure error={records.error} onRetry={() => setRetries(retries + 1)} />
      )}
      {records.items.length > 0 && <AuditEntries records={records.items} />}
      {records.isPending && <Loading what="audit log" />}
      {records.isDone && records.items.length === 0 && records.error === undefined && (
        <Empty title="No matches">Remove a filter. The actor must match exactly.</Empty>
      )}
      {!records.isDone && !records.isPending && (
        <Center>
          <Button variant="default" onClick={records.more}>
            Show older entries
          </Button>
        </Center>
      )}
    </Stack>
  )
}

const filterIn = ({ actor = '', action, target = '' }: AuditSearch): AuditFilterValues => ({
  actor,
  action: actionIn(action),
  target,
})

const actionIn = (name: string | undefined): AuditAction | null =>
  name !== undefined && Object.hasOwn(actionLabels, name) ? (name as AuditAction) : null
