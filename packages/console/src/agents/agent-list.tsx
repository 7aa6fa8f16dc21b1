import type { FleetAgent } from '@manc/sdk'
import { Group, ScrollArea, Text, UnstyledButton } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef } from 'react'
import { Empty, useNow } from '../frame/states.tsx'
import { inShort } from '../frame/time.ts'
import { Glyph } from './glyph.tsx'

const rowHeight = 48
/** What needs a look comes first. */
const order = { offline: 0, stale: 1, online: 2 } as const

/** However many there are, only what is in view is drawn. */
export function AgentList({
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
  const rows = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => viewport.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  })
  if (sorted.length === 0)
    return <Empty title="None fits">Take a filter away, or search for something else.</Empty>
  return (
    <ScrollArea viewportRef={viewport} style={{ flex: 1 }} type="auto">
      <div
        style={{ height: rows.getTotalSize(), position: 'relative' }}
        role="list"
        aria-label="Access points"
      >
        {rows.getVirtualItems().map(({ index, start, key }) => {
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
                onClick={() => onOpen(agent.ap_id)}
              >
                <Group gap="sm" wrap="nowrap">
                  <Glyph technology={agent.technology} state={agent.state} />
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
                      : `${agent.state} ${inShort(now - Date.parse(agent.since))}`}
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
