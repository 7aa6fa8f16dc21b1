import { healths } from '@manc/contract/health'
import type { FleetAgent } from '@manc/sdk'
import { Group, ScrollArea, Text, UnstyledButton } from '@mantine/core'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useCallback, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { HealthBadge, HealthReasons } from '../fleet/health.tsx'
import { TechnologyIcon } from '../fleet/technology-icon.tsx'
import { formatAge } from '../format/time.ts'
import { Empty, useNow } from '../ui/states.tsx'

const rowHeight = 44
const states = ['offline', 'stale', 'online'] as const
/** The worst come first. */
const rankOf = ({ health, state }: FleetAgent) =>
  healths.indexOf(health) * states.length + states.indexOf(state)

/** Arrow keys move between rows; Tab leaves the list. */
const keySteps: Record<string, number> = {
  ArrowUp: -1,
  ArrowDown: 1,
  PageUp: -10,
  PageDown: 10,
  Home: -Infinity,
  End: Infinity,
}

/** A virtual list: only visible rows are rendered. */
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
    () => agents.toSorted((a, b) => rankOf(a) - rankOf(b) || (a.ap_id < b.ap_id ? -1 : 1)),
    [agents],
  )
  const [focusedId, setFocusedId] = useState<string>()
  const focusedIndex = useMemo(
    () => sorted.findIndex(({ ap_id }) => ap_id === focusedId),
    [sorted, focusedId],
  )
  // Rows keep their element and focus when the order changes. A new function would measure all rows again.
  const keyOf = useCallback((index: number) => sorted[index]?.ap_id ?? index, [sorted])
  const rows = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => viewport.current,
    getItemKey: keyOf,
    rangeExtractor: (range) =>
      focusedIndex < 0
        ? defaultRangeExtractor(range)
        : [...new Set([focusedIndex, ...defaultRangeExtractor(range)])].toSorted((a, b) => a - b),
    estimateSize: () => rowHeight,
    overscan: 8,
  })
  const rendered = rows.getVirtualItems()
  /** The row that Tab focuses: the last focused one, or the first. */
  const current = focusedIndex < 0 ? (rendered[0]?.index ?? 0) : focusedIndex
  const move = (event: KeyboardEvent) => {
    const step = keySteps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = sorted[Math.max(0, Math.min(sorted.length - 1, current + step))]
    flushSync(() => setFocusedId(next?.ap_id))
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
        {rendered.map(({ index, start, key }) => {
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
                onFocus={() => setFocusedId(agent.ap_id)}
                onClick={() => onOpen(agent.ap_id)}
              >
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
              </UnstyledButton>
            </div>
          )
        })}
      </div>
    </ScrollArea>
  )
}

/** Nothing beside the badge of an access point that is online and needs attention. */
function stateText({ state, since, health }: FleetAgent, now: number): string {
  if (state !== 'online') return `${state} ${formatAge(now - Date.parse(since))}`
  return health === 'bad' || health === 'degraded' ? '' : 'online'
}
