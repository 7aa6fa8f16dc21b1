import { Group, Popover, Stack, Text, UnstyledButton } from '@mantine/core'
import { rangeOf, trendPath } from './trend-line.ts'

interface TrendFigureProps {
  /** `Clients` */
  label: string
  /** `184 clients` */
  text: string
  /** One value a minute, the newest last. */
  values: readonly (number | null)[] | undefined
  format: (value: number) => string
}

const spark = { width: 44, height: 14 }
const chart = { width: 260, height: 72 }

/** A figure with the trend of the last hour; a click shows the trend larger, with its range. */
export function TrendFigure({ label, text, values = [], format }: TrendFigureProps) {
  const range = rangeOf(values)
  return (
    <Popover position="bottom" withinPortal shadow="md" trapFocus withArrow>
      <Popover.Target>
        <UnstyledButton
          className="figure-trend"
          aria-label={`${text}. Show the trend of ${label.toLowerCase()}`}
        >
          {range && <TrendLine values={values} {...spark} range={[range.min, range.max]} />}
          <span>{text}</span>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack
          gap={6}
          w={chart.width}
          aria-label={`Trend of ${label.toLowerCase()}`}
          role="group"
          tabIndex={-1}
          data-autofocus
        >
          <Text size="sm" fw={600}>
            {label} in the last hour
          </Text>
          {range ? (
            <>
              {/* From zero, so that a small change does not look large. */}
              <TrendLine values={values} {...chart} range={[0, Math.max(range.max, 1e-9)]} />
              <Group justify="space-between" gap="sm" className="figures">
                <Text size="xs" c="dimmed">
                  1 h ago
                </Text>
                <Text size="xs" c="dimmed">
                  now
                </Text>
              </Group>
              <Text size="xs" className="figures">
                {format(range.last)} now; lowest {format(range.min)}, highest {format(range.max)}
              </Text>
            </>
          ) : (
            <Text size="xs" c="dimmed">
              Nothing was recorded in the last hour.
            </Text>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

interface TrendLineProps {
  values: readonly (number | null)[]
  width: number
  height: number
  range: readonly [number, number]
}

function TrendLine({ values, width, height, range }: TrendLineProps) {
  return (
    <svg
      className="trend-line"
      width={width}
      height={height}
      viewBox={`-1 -1 ${width + 2} ${height + 2}`}
      aria-hidden
    >
      <path d={trendPath(values, { width, height, range })} />
    </svg>
  )
}
