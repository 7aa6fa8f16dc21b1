import '../ui/record-list.css'
import type { AuditRecord } from '@manc/sdk'
import { Badge, Box, Button, Code, Collapse, Group, Paper, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type ReactNode, useMemo } from 'react'
import { formatCount } from '../format/number.ts'
import { formatDateTime } from '../format/time.ts'
import { Timestamp } from '../format/timestamp.tsx'
import { type AuditGroup, groupRecords, groupSentence } from './audit-groups.ts'
import { auditSentence } from './audit-sentences.ts'

/** Entries, newest first. Repeated ones are one row, which shows them on request. */
export function AuditEntries({ records }: { records: readonly AuditRecord[] }) {
  const groups = useMemo(() => groupRecords(records), [records])
  return (
    <Paper withBorder role="list" aria-label="Audit log, newest first">
      {groups.map((group) => (
        // A group grows at its end when older entries are read.
        <div key={group[0].id} role="listitem" className="entry">
          {group.length === 1 ? <Entry record={group[0]} /> : <Entries group={group} />}
        </div>
      ))}
    </Paper>
  )
}

function Entries({ group }: { group: AuditGroup }) {
  const [isOpen, { toggle }] = useDisclosure()
  return (
    <div>
      <Line
        at={group[0].at}
        action={
          <Button variant="subtle" color="gray" size="compact-xs" onClick={toggle} aria-expanded={isOpen}>
            {isOpen ? 'Hide entries' : 'Show entries'}
          </Button>
        }
      >
        {groupSentence(group)}{' '}
        <Badge variant="default" size="sm" className="figures" tt="none">
          {formatCount(group.length, 'entry', 'entries')}
        </Badge>
      </Line>
      <Collapse expanded={isOpen} keepMounted={false}>
        <Box role="list" aria-label={groupSentence(group)} pl="lg">
          {group.map((record) => (
            <div key={record.id} role="listitem" className="entry-below">
              <Entry record={record} />
            </div>
          ))}
        </Box>
      </Collapse>
    </div>
  )
}

function Entry({ record }: { record: AuditRecord }) {
  const [isOpen, { toggle }] = useDisclosure()
  const { id: _, ...shown } = record
  return (
    <div>
      <Line
        at={record.at}
        action={
          <Button variant="subtle" color="gray" size="compact-xs" onClick={toggle} aria-expanded={isOpen}>
            {isOpen ? 'Hide details' : 'Show details'}
          </Button>
        }
      >
        {auditSentence(record)}
      </Line>
      <Collapse expanded={isOpen} keepMounted={false}>
        <Code block fz={12} mx="md" mb="md" tabIndex={0} aria-label="Record as JSON">
          {JSON.stringify(shown, null, 2)}
        </Code>
      </Collapse>
    </div>
  )
}

function Line({ at, action, children }: { at: string; action: ReactNode; children: ReactNode }) {
  return (
    <Group className="entry-line" px="md" py="sm" gap="sm" wrap="nowrap" align="baseline">
      <Text size="xs" c="dimmed" className="figures" style={{ flex: 'none' }} component="span">
        <Timestamp ms={Date.parse(at)} format={formatDateTime} />
      </Text>
      <Text size="sm" style={{ flex: 1, minWidth: 200, overflowWrap: 'anywhere' }} component="div">
        {children}
      </Text>
      {action}
    </Group>
  )
}
