import type { AuditAction, AuditRecord } from '@manc/sdk'
import {
  Autocomplete,
  Button,
  Center,
  Code,
  Collapse,
  Group,
  Paper,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { useDebouncedValue, useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useManc } from '../app/session.tsx'
import { usePagedList } from '../app/use-paged-list.ts'
import { formatDateTime } from '../format/time.ts'
import { Timestamp } from '../format/timestamp.tsx'
import { RangePicker } from '../range/range-picker.tsx'
import { periodOf } from '../range/time-range.ts'
import { useTimeRange } from '../range/use-time-range.ts'
import { Empty, Failure, Loading } from '../ui/states.tsx'
import { type AuditSearch, parseAuditSearch } from './audit-search.ts'
import { actionLabels, auditSentence } from './audit-sentences.ts'

const pageSize = 50

interface Filter {
  actor: string
  action: AuditAction | null
  target: string
}

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
  const records = usePagedList<AuditRecord>(
    JSON.stringify([actor, action, target, range.range, retries]),
    (signal) => {
      const period = range.range && periodOf(range.range, Date.now())
      return manc.audit.list({
        signal,
        pageSize,
        ...(actor.trim() !== '' && { actor: actor.trim() }),
        ...(action && { action }),
        ...(target.trim() !== '' && { target: target.trim() }),
        ...(period && { from: new Date(period.fromMs), to: new Date(period.toMs) }),
      })
    },
    pageSize,
  )
  return (
    <Stack gap="md">
      <Group gap="sm" align="flex-end">
        <FilterFields filter={filter} onChange={setFilter} />
        <RangePicker {...range} anyTime="Any time" />
      </Group>
      {records.error !== undefined && (
        <Failure error={records.error} onRetry={() => setRetries(retries + 1)} />
      )}
      {records.items.length > 0 && (
        <Paper withBorder role="list" aria-label="Audit log, newest first">
          {records.items.map((record) => (
            <div key={record.id} role="listitem" className="entry">
              <Change record={record} />
            </div>
          ))}
        </Paper>
      )}
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

const filterIn = ({ actor = '', action, target = '' }: AuditSearch): Filter => ({
  actor,
  action: actionIn(action),
  target,
})

const actionIn = (name: string | undefined): AuditAction | null =>
  name !== undefined && Object.hasOwn(actionLabels, name) ? (name as AuditAction) : null

const actions = Object.entries(actionLabels).map(([value, label]) => ({ value, label }))

function FilterFields({ filter, onChange }: { filter: Filter; onChange: (filter: Filter) => void }) {
  const manc = useManc()
  const { data: names = [] } = useQuery({
    queryKey: ['administration', 'actors'],
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const users = await Array.fromAsync(manc.users.list({ signal }))
      return users.map(({ username }) => username ?? '')
    },
  })
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm" style={{ flex: 1 }}>
      <Autocomplete
        label="Actor"
        placeholder="Anyone"
        data={names}
        limit={8}
        value={filter.actor}
        onChange={(actor) => onChange({ ...filter, actor })}
      />
      <Select
        label="Action"
        placeholder="Any action"
        clearable
        data={actions}
        value={filter.action}
        onChange={(action) => onChange({ ...filter, action: action as AuditAction | null })}
      />
      <TextInput
        label="Target"
        placeholder="Part of the name"
        value={filter.target}
        onChange={({ currentTarget }) => onChange({ ...filter, target: currentTarget.value })}
      />
    </SimpleGrid>
  )
}

function Change({ record }: { record: AuditRecord }) {
  const [isOpen, { toggle }] = useDisclosure()
  const { id: _, ...shown } = record
  return (
    <div>
      <Group className="entry-line" px="md" py="sm" gap="sm" wrap="nowrap" align="baseline">
        <Text size="xs" c="dimmed" className="figures" style={{ flex: 'none' }} component="span">
          <Timestamp ms={Date.parse(record.at)} format={formatDateTime} />
        </Text>
        <Text size="sm" style={{ flex: 1, minWidth: 200, overflowWrap: 'anywhere' }}>
          {auditSentence(record)}
        </Text>
        <Button variant="subtle" color="gray" size="compact-xs" onClick={toggle} aria-expanded={isOpen}>
          {isOpen ? 'Hide details' : 'Show details'}
        </Button>
      </Group>
      <Collapse expanded={isOpen} keepMounted={false}>
        <Code block fz={12} mx="md" mb="md" tabIndex={0} aria-label="Record as JSON">
          {JSON.stringify(shown, null, 2)}
        </Code>
      </Collapse>
    </div>
  )
}
