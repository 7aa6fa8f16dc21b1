import { Group, Paper, Stack, Text } from '@mantine/core'
import { formatRecentTime } from '../format/time.ts'
import { MarkIcon } from './mark-list.tsx'
import type { Mark } from './marks.ts'

/** Beyond it the list of events is easier to read. */
const maxShown = 5

export interface NearMarks {
  marks: readonly Mark[]
  /** Of the cursor, as a part of the width of the chart. */
  part: number
}

/** The events at the cursor. The list of events has the same texts for the keyboard and screen readers. */
export function MarkTooltip({ marks, part }: NearMarks) {
  return (
    <Paper
      className="mark-tooltip"
      withBorder
      shadow="md"
      p="sm"
      aria-hidden
      style={part < 0.5 ? { left: `${part * 100}%` } : { right: `${(1 - part) * 100}%` }}
    >
      <Stack gap={4}>
        {marks.slice(0, maxShown).map((mark) => (
          <Group key={mark.id} gap={6} wrap="nowrap" align="flex-start">
            <MarkIcon mark={mark} />
            <Text size="xs" span>
              <span className="figures">{formatRecentTime(mark.atMs)}</span> {mark.text}
            </Text>
          </Group>
        ))}
        {marks.length > maxShown && (
          <Text size="xs" c="dimmed">
            and {marks.length - maxShown} more
          </Text>
        )}
      </Stack>
    </Paper>
  )
}
