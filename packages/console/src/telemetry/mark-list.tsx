import { Anchor, Button, Group, Popover, ScrollArea, Stack, Text, UnstyledButton } from '@mantine/core'
import { IconTimelineEvent } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { formatRecentTime } from '../format/time.ts'
import { Timestamp } from '../format/timestamp.tsx'
import { errorText } from '../ui/error-text.ts'
import type { ChartGroup } from './chart-group.ts'
import { type Mark, markShapes } from './marks.ts'
import { maxMarks, type useMarks } from './use-marks.ts'

interface MarkListProps {
  apId: string
  found: ReturnType<typeof useMarks>
  group: ChartGroup
}

/** The events that the charts mark, as a list. Each moves the cursor of the charts to its time. */
export function MarkList({ apId, found: { marks, isRead, hasMore, error }, group }: MarkListProps) {
  return (
    <Popover position="bottom-end" shadow="md" withinPortal trapFocus>
      <Popover.Target>
        <Button size="xs" variant="default" leftSection={<IconTimelineEvent size={14} />}>
          Events{isRead && ` (${hasMore ? `${maxMarks}+` : marks.length})`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={0} w={400} maw="92vw" aria-label="Events in the charts">
        {error && (
          <Text size="sm" p="md" c="var(--mantine-color-error)" role="alert">
            {errorText(error)}
          </Text>
        )}
        {marks.length === 0 && !error && (
          <Text size="sm" c="dimmed" p="md">
            {isRead ? 'No events in this period.' : 'Loading events…'}
          </Text>
        )}
        <ScrollArea.Autosize mah={320} type="auto">
          <Stack gap={0} role="list" aria-label="Events in the charts, newest first">
            {marks.map((mark) => (
              <div key={mark.id} role="listitem">
                <MarkRow mark={mark} onShow={() => group.showAt(mark.atMs)} />
              </div>
            ))}
          </Stack>
        </ScrollArea.Autosize>
        <Group justify="space-between" p="sm" px="md" className="mark-list-foot">
          <Text size="xs" c="dimmed">
            {hasMore ? `The newest ${maxMarks} are marked. Select a shorter period to see others.` : ''}
          </Text>
          <Anchor
            size="xs"
            underline="always"
            renderRoot={(props) => (
              <Link to="/access-points/$apId" params={{ apId }} search={{ tab: 'events' }} {...props} />
            )}
          >
            All events
          </Anchor>
        </Group>
      </Popover.Dropdown>
    </Popover>
  )
}

function MarkRow({ mark, onShow }: { mark: Mark; onShow: () => void }) {
  return (
    <UnstyledButton className="row" w="100%" px="md" py={6} onClick={onShow} onFocus={onShow}>
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <MarkIcon mark={mark} />
        <Text size="xs" c="dimmed" className="figures" component="span" style={{ flex: 'none' }}>
          <Timestamp ms={mark.atMs} format={formatRecentTime} />
        </Text>
        <Text size="xs" component="span" style={{ overflowWrap: 'anywhere' }}>
          {mark.text}
        </Text>
      </Group>
    </UnstyledButton>
  )
}

/** As in the charts. The text beside it says the same. */
export function MarkIcon({ mark: { group, severity } }: { mark: Mark }) {
  return (
    <svg
      viewBox="-1 -1 12 12"
      width={14}
      height={14}
      aria-hidden
      className={`mark mark-${severity}`}
      style={{ flex: 'none', marginTop: 2 }}
    >
      <path d={markShapes[group]} />
    </svg>
  )
}
