import type { FleetAgent } from '@manc/sdk'
import { Group, ScrollArea, Text, UnstyledButton } from '@mantine/core'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { HealthBadge, HealthReasons } from '../fleet/health.tsx'
import { TechnologyIcon } from '../fleet/technology-icon.tsx'
import type { Table } from '../fleet/use-table.ts'
import { formatAge } from '../format/time.ts'
import { Empty, useNow } from '../ui/states.tsx'

const rowHeight = 44

/** Arrow keys move between rows; Tab leaves the list. */
const keySteps: Record<string, number> = {
  ArrowUp: -1,
  ArrowDown: 1,
  PageUp: -10,
  PageDown: 10,
  Home: -Infinity,
  End: Infinity,
}

interface AccessPointListProps {
  /** The worst first. */
  table: Table
  onRange: (first: number, last: number) => void
  onOpen: (apId: string) => void
}

/** A virtual list: only visible rows are rendered, and only their pages are read. */
export function AccessPointList({ table, onRange, onOpen }: AccessPointListProps) {
  const viewport = useRef<HTMLDivElement>(null)
  const now = useNow()
  const total = table.total ?? 0
  /** The row that Tab focuses. */
  const [chosen, setFocused] = useState(0)
  const focused = Math.max(0, Math.min(chosen, total - 1))
  const rows = useVirtualizer({
    count: total,
    getScrollElement: () => viewport.current,
    // The focused row stays, so that the keyboard does not lose its place.
    rangeExtractor: (range) => {
      const visible = defaultRangeExtractor(range)
      return [...new Set([focused, ...visible])].toSorted((a, b) => a - b)
    },
    estimateSize: () => rowHeight,
    overscan: 8,
  })
  const { startIndex = 0, endIndex = 0 } = rows.range ?? {}
  useEffect(() => onRange(startIndex, endIndex), [startIndex, endIndex])
  // Another filter begins at the top.
  useEffect(() => {
    viewport.current?.scrollTo({ top: 0 })
    setFocused(0)
  }, [table.query])
  const move = (event: KeyboardEvent) => {
    const step = keySteps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = Math.max(0, Math.min(total - 1, focused + step))
    flushSync(() => setFocused(next))
    rows.scrollToIndex(next, { align: 'auto' })
    viewport.current?.querySelector<HTMLElement>('.row[tabindex="0"]')?.focus({ preventScroll: true })
  }
  if (table.total === 0) return <Empty title="No matches">Remove a filter or change the search.</Empty>
  return (
    <ScrollArea viewportRef={viewport} style={{ flex: 1 }} type="auto">
      <div
        style={{ height: rows.getTotalSize(), position: 'relative' }}
        role="list"
        aria-label="Access points"
        aria-busy={table.isPending}
        onKeyDown={move}
      >
        {rows.getVirtualItems().map(({ index, start, key }) => {
          const agent = table.rowAt(index)
          return (
            <div
              key={key}
              role="listitem"
              style={{
                position: 'absolute',
                insetInline: 0,
                height: rowHeight,
                transform: `translateY(${start}px)`,
              }}
            >
              <UnstyledButton
                w="100%"
                h={rowHeight}
                px="md"
                className="row"
                tabIndex={index === focused ? 0 : -1}
                onFocus={() => setFocused(index)}
                onClick={() => agent && onOpen(agent.ap_id)}
              >
                {agent ? <Row agent={agent} now={now} /> : <Text c="dimmed">…</Text>}
              </UnstyledButton>
            </div>
          )
        })}
      </div>
    </ScrollArea>
  )
}

function Row({ agent, now }: { agent: FleetAgent; now: number }) {
  return (
    <Group gap="sm" wrap="nowrap">
      <TechnologyIcon technology={agent.technology} state={agent.state} />
      <div style={{ flex: 1, minWidth: 0 }}>
        <Text size="sm" truncate>
          {agent.name ?? agent.ap_id}
        </Text>
        {(agent.reasons.length > 0 || agent.name) && (
          <Text size="xs" c="dimmed" truncate>
            {agent.reasons.length > 0 ? <HealthReasons reasons={agent.reasons} /> : agent.ap_id}
          </Text>
        )}
      </div>
      <HealthBadge health={agent.health} />
      <Text
        size="xs"
        c={agent.state === 'offline' ? 'var(--mantine-color-error)' : 'dimmed'}
        className="figures"
      >
        {stateText(agent, now)}
      </Text>
    </Group>
  )
}

/** Nothing beside the badge of an access point that is online and needs attention. */
function stateText({ state, since, health }: FleetAgent, now: number): string {
  if (state !== 'online') return `${state} ${formatAge(now - Date.parse(since))}`
  return health === 'bad' || health === 'degraded' ? '' : 'online'
}
