import { Group, Stack, Table, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { type ReactNode, useSyncExternalStore } from 'react'
import { formatValue } from '../format/number.ts'
import { formatRecentTime, utcOffset } from '../format/time.ts'
import type { ChartGroup } from '../telemetry/chart-group.ts'
import type { Metric } from '../telemetry/metrics.ts'
import type { Line } from '../telemetry/plot-options.ts'
import { indexAt } from '../telemetry/points.ts'
import { bestOf, meanOfPresent, type Subject } from './compare-lines.ts'

interface CompareTableProps {
  /** Heading of the first column: `Access point`. */
  heading: string
  subjects: readonly Subject[]
  lines: readonly Line[]
  metrics: readonly Metric[]
  steps: readonly number[]
  /** The values of a metric, by line and step. */
  valuesOf: (metric: string) => readonly (readonly (number | null)[])[]
  when: string
  age: ReactNode
  group: ChartGroup
  hidden: ReadonlySet<string>
  onToggle: (key: string) => void
  onHighlight: (index: number | undefined) => void
}

/** The legend with the mean of each line, or its value at the cursor. The best value of each column is bold. */
export function CompareTable(props: CompareTableProps) {
  const {
    heading,
    subjects,
    lines,
    metrics,
    steps,
    valuesOf,
    when,
    age,
    group,
    hidden,
    onToggle,
    onHighlight,
  } = props
  const cursorMs = useSyncExternalStore(group.subscribe, group.moment)
  const index = cursorMs === undefined ? undefined : Math.max(0, indexAt(steps, cursorMs + 1) - 1)
  const columns = metrics.map((metric) => {
    const values = valuesOf(metric.name).map((line) =>
      index === undefined ? meanOfPresent(line) : (line[index] ?? undefined),
    )
    // Values that are displayed the same count as equal.
    const displayed = values.map((value) => (value === undefined ? undefined : Number(value.toFixed(2))))
    return { metric, values, best: bestOf(metric.name, displayed) }
  })
  return (
    <Stack gap={4} {...(metrics.length === 1 && { maw: 560 })}>
      <Group justify="space-between" gap="sm">
        <Text size="xs" c="dimmed" className="figures" id="compared">
          {cursorMs === undefined
            ? `Mean over ${when}, best in bold. Hover over a chart to read the values at one time.`
            : `At ${formatRecentTime(cursorMs)} ${utcOffset(cursorMs)}, best in bold.`}
        </Text>
        {age}
      </Group>
      <Table.ScrollContainer minWidth={metrics.length === 1 ? 280 : 680}>
        <Table verticalSpacing={4} highlightOnHover aria-label="Comparison" aria-describedby="compared">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{heading}</Table.Th>
              {metrics.map(({ name, label, unit }) => (
                <Table.Th key={name} ta="right">
                  {unit ? `${label} (${unit})` : label}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {subjects.map(({ key, label, technology }, n) => (
              <Table.Tr
                key={key}
                onMouseEnter={() => onHighlight(n)}
                onMouseLeave={() => onHighlight(undefined)}
              >
                <Table.Td>
                  <UnstyledButton
                    className="legend"
                    aria-pressed={!hidden.has(key)}
                    onClick={() => onToggle(key)}
                    onFocus={() => onHighlight(n)}
                    onBlur={() => onHighlight(undefined)}
                  >
                    <LineSample line={lines[n]} isHidden={hidden.has(key)} />
                    <Text size="sm" span td={hidden.has(key) ? 'line-through' : undefined}>
                      {label}
                      <VisuallyHidden>, {technology}</VisuallyHidden>
                    </Text>
                  </UnstyledButton>
                </Table.Td>
                {columns.map(({ metric: { name }, values, best }) => (
                  <Table.Td key={name} ta="right" className="figures" fw={best === n ? 700 : 400}>
                    {values[n] === undefined ? '–' : formatValue(values[n])}
                    {best === n && <VisuallyHidden>, best</VisuallyHidden>}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Stack>
  )
}

function LineSample({ line, isHidden }: { line: Line | undefined; isHidden: boolean }) {
  return (
    <svg width={28} height={8} aria-hidden style={{ flex: 'none', opacity: isHidden ? 0.3 : 1 }}>
      <line
        x1={0}
        x2={28}
        y1={4}
        y2={4}
        stroke={line?.colour}
        strokeWidth={2.5}
        strokeDasharray={line?.dash?.join(' ')}
      />
    </svg>
  )
}
