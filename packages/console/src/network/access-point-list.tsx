import type { FleetAgent } from '@manc/sdk'
import { Group, ScrollArea, Text, UnstyledButton } from '@mantine/core'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useCallback, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { TechnologyIcon } from '../fleet/technology-icon.tsx'
import { formatAge } from '../format/time.ts'
import { Empty, useNow } from '../ui/states.tsx'

const rowHeight = 48
/** What needs a look comes first. */
const order = { offline: 0, stale: 1, online: 2 } as const

/** From row to row: Tab leads past the list, however long it is. */
const steps: Record<string, number> = {
  ArrowUp: -1,
  ArrowDown: 1,
  PageUp: -10,
  PageDown: 10,
  Home: -Infinity,
  End: Infinity,
}

/** However many there are, only what is in view is drawn. */
export function AccessPointList({
  agents,
  onOpen,
}: {
  agents: readonly FleetAgent[]
  onOpen: (apId: string) => void
}) {
  const viewport = useRef<HTMLDivElement>(null)
  const now = useNow()
  const sorted = useMemo(
    () => agents.toSorted((a, b) => order[a.state] - order[b.state] || (a.ap_id < b.ap_id ? -1 : 1)),
    [agents],
  )
  const [reached, setReached] = useState<string>()
  const kept = useMemo(() => sorted.findIndex(({ ap_id }) => ap_id === reached), [sorted, reached])
  // Each keeps its own, with the focus, when the order changes. With another function all rows are measured anew.
  const keyOf = useCallback((index: number) => sorted[index]?.ap_id ?? index, [sorted])
  const rows = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => viewport.current,
    getItemKey: keyOf,
    rangeExtractor: (range) =>
      kept < 0
        ? defaultRangeExtractor(range)
        : [...new Set([kept, ...defaultRangeExtractor(range)])].toSorted((a, b) => a - b),
    estimateSize: () => rowHeight,
    overscan: 8,
  })
  const drawn = rows.getVirtualItems()
  /** The row that Tab leads to: where one has been, or the first. */
  const current = kept < 0 ? (drawn[0]?.index ?? 0) : kept
  const move = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = sorted[Math.max(0, Math.min(sorted.length - 1, current + step))]
    flushSync(() => setReached(next?.ap_id))
    viewport.current?.querySelector<HTMLElement>('.row[tabindex="0"]')?.focus()
  }
  if (sorted.length === 0) return <Empty title="No matches">Remove a filter or change the search.</Empty>
  return (
    <ScrollArea viewportRef={viewport} style={{ flex: 1 }} type="auto">
      <div
        style={{ height: rows.getTotalSize(), position: 'relative' }}
        role="list"
        aria-label="Access points"
        onKeyDown={move}
      >
        {drawn.map(({ index, start, key }) => {
          const agent = sorted[index]
          if (!agent) return null
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
                tabIndex={index === current ? 0 : -1}
                onFocus={() => setReached(agent.ap_id)}
                onClick={() => onOpen(agent.ap_id)}
              >
                <Group gap="sm" wrap="nowrap">
                  <TechnologyIcon technology={agent.technology} state={agent.state} />
                  <div style={{ flex: 1, minWidth: 0 }}>
                    <Text size="sm" truncate>
                      {agent.name ?? agent.ap_id}
                    </Text>
                    {agent.name && (
                      <Text size="xs" c="dimmed" truncate>
                        {agent.ap_id}
                      </Text>
                    )}
                  </div>
                  <Text
                    size="xs"
                    c={agent.state === 'offline' ? 'var(--mantine-color-error)' : 'dimmed'}
                    className="figures"
                  >
                    {agent.state === 'online'
                      ? 'online'
                      : `${agent.state} ${formatAge(now - Date.parse(agent.since))}`}
                  </Text>
                </Group>
              </UnstyledButton>
            </div>
          )
        })}
      </div>
    </ScrollArea>
  )
}
