import { Anchor, Text, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import { Timestamp } from '../format/timestamp.tsx'
import type { OutcomeSort } from './jobs-search.ts'
import type { Outcome } from './outcomes.ts'
import { StateLabel } from './state-icon.tsx'

const rowHeight = 36
const maxHeight = 480

const columns = [
  { name: 'ap', label: 'Access point' },
  { name: 'outcome', label: 'Outcome' },
  { name: 'reason', label: 'Reason' },
  { name: 'time', label: 'Time' },
] as const

interface OutcomeTableProps {
  outcomes: readonly Outcome[]
  sort: OutcomeSort
  onSort: (sort: OutcomeSort) => void
}

/** One row for each access point. Only visible rows are rendered; a long reason wraps. */
export function OutcomeTable({ outcomes, sort, onSort }: OutcomeTableProps) {
  const viewport = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: outcomes.length,
    getScrollElement: () => viewport.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  })
  const height = Math.min(maxHeight, (outcomes.length + 1) * rowHeight + 8)
  return (
    <div
      ref={viewport}
      className="result outcomes figures"
      style={{ height: outcomes.length > 8 ? height : 'auto', maxHeight }}
      role="table"
      aria-label="Outcomes"
      aria-rowcount={outcomes.length + 1}
      tabIndex={0}
    >
      <div role="rowgroup" className="result-head">
        <div role="row" aria-rowindex={1}>
          {columns.map(({ name, label }) => (
            <span key={name} role="columnheader" aria-sort={directionOf(name, sort)}>
              <UnstyledButton className="sort" onClick={() => onSort(sort === name ? `-${name}` : name)}>
                {label}
                <SortIcon direction={directionOf(name, sort)} />
              </UnstyledButton>
            </span>
          ))}
        </div>
      </div>
      <div role="rowgroup" style={{ height: rows.getTotalSize(), position: 'relative' }}>
        {rows.getVirtualItems().map(({ index, start, key }) => (
          <div
            key={key}
            ref={rows.measureElement}
            data-index={index}
            role="row"
            aria-rowindex={index + 2}
            style={{ position: 'absolute', insetInline: 0, transform: `translateY(${start}px)` }}
          >
            <Cells outcome={outcomes[index] as Outcome} />
          </div>
        ))}
      </div>
    </div>
  )
}

function Cells({ outcome: { apId, state, reason, atMs } }: { outcome: Outcome }) {
  return (
    <>
      <span role="cell">
        <Anchor
          inherit
          renderRoot={(props) => <Link to="/access-points/$apId" params={{ apId }} {...props} />}
        >
          {apId}
        </Anchor>
      </span>
      <span role="cell">
        <StateLabel state={state} />
      </span>
      <span role="cell">{reason}</span>
      <span role="cell">{atMs !== undefined && <Timestamp ms={atMs} />}</span>
    </>
  )
}

const directionOf = (name: string, sort: OutcomeSort) =>
  sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : 'none'

function SortIcon({ direction }: { direction: ReturnType<typeof directionOf> }) {
  if (direction === 'none') return null
  const Icon = direction === 'ascending' ? IconArrowUp : IconArrowDown
  return (
    <Text component="span" ml={4} aria-hidden>
      <Icon size={12} />
    </Text>
  )
}
