import './range.css'
import {
  ActionIcon,
  Button,
  Group,
  Popover,
  SimpleGrid,
  Stack,
  Text,
  Tooltip,
  VisuallyHidden,
} from '@mantine/core'
import {
  IconChevronLeft,
  IconChevronRight,
  IconClock,
  IconPlayerPause,
  IconPlayerPlay,
  IconZoomOut,
} from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { formatDateTime, parseDateTime, timeZoneName } from '../format/time.ts'
import { TimeField } from '../format/time-field.tsx'
import { useNow } from '../ui/states.tsx'
import { CopyLink } from './copy-link.tsx'
import {
  isLive,
  isOngoing,
  liveRanges,
  type Period,
  periodOf,
  rangeLabel,
  shifted,
  type TimeRange,
  usualRange,
  zoneOf,
  zoomedOut,
} from './time-range.ts'
import type { RangeOf } from './use-time-range.ts'

interface RangePickerProps extends RangeOf<TimeRange | undefined> {
  /** What is chosen without a range: `Any time`. Undefined: a range is always chosen. */
  anyTime?: string
  /** Whether the page updates itself, and can be paused. */
  canPause?: boolean
}

/** Selects the time range of a page, which is in the address. */
export function RangePicker({ range, setRange, live, anyTime, canPause = false }: RangePickerProps) {
  const [isOpen, setOpen] = useState(false)
  const select = (next: TimeRange | undefined) => {
    setOpen(false)
    setRange(next)
  }
  const label = range ? rangeLabel(range) : (anyTime ?? '')
  const move = (steps: -1 | 1) => {
    const now = Date.now()
    if (range) setRange(wholeSeconds(shifted(wholeSeconds(periodOf(range, now)), steps, now)))
  }
  return (
    <Group gap={6} role="group" aria-label="Time range" className="range-picker">
      <Popover
        opened={isOpen}
        onChange={setOpen}
        position="bottom-end"
        shadow="md"
        withinPortal
        trapFocus
        returnFocus
      >
        <Popover.Target>
          <Button
            size="xs"
            variant="default"
            className="figures"
            leftSection={<IconClock size={14} />}
            onClick={() => setOpen(!isOpen)}
          >
            <VisuallyHidden>Time range: </VisuallyHidden>
            {label}
            {range && (
              <Text span size="xs" c="dimmed" visibleFrom="xs" style={{ whiteSpace: 'pre' }}>
                {` ${zoneOf(range)}`}
              </Text>
            )}
          </Button>
        </Popover.Target>
        <Popover.Dropdown w={320} maw="94vw" aria-label="Time range">
          <Choices range={range} anyTime={anyTime} onSelect={select} />
        </Popover.Dropdown>
      </Popover>
      {range && (
        <ActionIcon.Group>
          <RangeAction label="Earlier" onClick={() => move(-1)}>
            <IconChevronLeft size={14} />
          </RangeAction>
          <LaterAction range={range} onClick={() => move(1)} />
          <RangeAction label="Zoom out" onClick={() => setRange(zoomedOut(range, Date.now()))}>
            <IconZoomOut size={14} />
          </RangeAction>
        </ActionIcon.Group>
      )}
      {range && canPause && (
        <Button
          size="xs"
          variant="default"
          leftSection={isLive(range) ? <IconPlayerPause size={14} /> : <IconPlayerPlay size={14} />}
          onClick={() => setRange(isLive(range) ? wholeSeconds(periodOf(range, Date.now())) : live)}
        >
          {isLive(range) ? 'Pause' : 'Go live'}
        </Button>
      )}
      <CopyLink range={range} />
    </Group>
  )
}

/** So that the address is short. */
const wholeSeconds = ({ fromMs, toMs }: Period): Period => ({
  fromMs: Math.floor(fromMs / 1000) * 1000,
  toMs: Math.floor(toMs / 1000) * 1000,
})

interface RangeActionProps {
  label: string
  isDisabled?: boolean
  onClick: () => void
  children: ReactNode
}

function RangeAction({ label, isDisabled = false, onClick, children }: RangeActionProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="default" size={30} aria-label={label} disabled={isDisabled} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  )
}

/** Disabled at the present time, which goes on while the page shows a fixed period. */
function LaterAction({ range, onClick }: { range: TimeRange; onClick: () => void }) {
  const now = useNow()
  return (
    <RangeAction label="Later" isDisabled={isOngoing(range, now - 1000)} onClick={onClick}>
      <IconChevronRight size={14} />
    </RangeAction>
  )
}

interface ChoicesProps {
  range: TimeRange | undefined
  anyTime: string | undefined
  onSelect: (range: TimeRange | undefined) => void
}

function Choices({ range, anyTime, onSelect }: ChoicesProps) {
  const initial = periodOf(range ?? usualRange, Date.now())
  const [from, setFrom] = useState(() => formatDateTime(initial.fromMs))
  const [to, setTo] = useState(() => formatDateTime(initial.toMs))
  const [start, end] = [parseDateTime(from), parseDateTime(to)]
  const problem = problemOf(start, end)
  return (
    <Stack gap="md">
      <div>
        <Text size="xs" c="dimmed" mb={6} id="live-ranges">
          Until now
        </Text>
        <SimpleGrid cols={4} spacing={6} role="group" aria-labelledby="live-ranges">
          {liveRanges.map(([lastS, , name]) => {
            const isSelected = range !== undefined && isLive(range) && range.lastS === lastS
            return (
              <Button
                key={lastS}
                size="compact-sm"
                variant={isSelected ? 'filled' : 'default'}
                aria-pressed={isSelected}
                aria-label={`Last ${name}`}
                onClick={() => onSelect({ lastS })}
              >
                {name}
              </Button>
            )
          })}
          {anyTime !== undefined && (
            <Button
              size="compact-sm"
              variant={range ? 'default' : 'filled'}
              aria-pressed={!range}
              onClick={() => onSelect(undefined)}
              className="any-time"
            >
              {anyTime}
            </Button>
          )}
        </SimpleGrid>
      </div>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (start && end && !problem) onSelect({ fromMs: start.getTime(), toMs: end.getTime() })
        }}
      >
        <Stack gap="sm">
          <TimeField label="From" size="xs" value={from} onChange={setFrom} />
          <TimeField label="To" size="xs" value={to} onChange={setTo} error={problem} />
          <Group justify="space-between" gap="sm">
            <Text size="xs" c="dimmed">
              Times in {timeZoneName()}
            </Text>
            <Button size="xs" type="submit" disabled={problem !== undefined}>
              Apply
            </Button>
          </Group>
        </Stack>
      </form>
    </Stack>
  )
}

function problemOf(start: Date | undefined, end: Date | undefined): string | undefined {
  if (!start || !end) return 'Enter both times.'
  return end <= start ? 'The end must be after the start.' : undefined
}
