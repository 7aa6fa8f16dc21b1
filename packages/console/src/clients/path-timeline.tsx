import './clients.css'
import { Text, useComputedColorScheme } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { TechnologyIcon } from '../fleet/technology-icon.tsx'
import { formatDuration, formatRecentTime, formatTick } from '../format/time.ts'
import type { Period } from '../range/time-range.ts'
import { timeTicks } from '../range/time-ticks.ts'
import { colourOf } from '../ui/theme.ts'
import { type LaneKind, laneKeyOf, lanesOf, type Move, type Visit, within } from './client-path.ts'
import { stateText } from './client-texts.ts'

const laneHeight = 30
const barHeight = 14
const axisHeight = 22

interface PathTimelineProps {
  visits: readonly Visit[]
  moves: readonly Move[]
  period: Period
  lanes: LaneKind
  nameOf: (apId: string) => string
  /** For screen readers, which read the details in the table. */
  label: string
}

/** A lane for each technology or access point, with a bar for each attachment. */
export function PathTimeline({ visits, moves, period, lanes: kind, nameOf, label }: PathTimelineProps) {
  const scheme = useComputedColorScheme('light')
  const isPhone = useMediaQuery('(max-width: 48em)') ?? false
  const { lanes, hidden } = lanesOf(kind, visits)
  const middles = new Map(lanes.map(({ key }, n) => [key, n * laneHeight + laneHeight / 2]))
  const middleOf = (visit: Visit | undefined) => visit && middles.get(laneKeyOf(kind, visit))
  const height = lanes.length * laneHeight
  return (
    <>
      <div className="timeline">
        <div>
          {lanes.map(({ key, technology, apId }) => (
            <div key={key} className="timeline-label" style={{ height: laneHeight }}>
              <TechnologyIcon technology={technology} />
              <Text size="xs" truncate title={apId} aria-hidden={apId === undefined}>
                {apId === undefined ? technology : nameOf(apId)}
              </Text>
            </div>
          ))}
        </div>
        <svg
          className="timeline-plot figures"
          role="img"
          aria-label={label}
          width="100%"
          height={height + axisHeight}
        >
          <Ticks period={period} max={isPhone ? 3 : 6} height={height} />
          {lanes.map(({ key }, n) => (
            <line
              key={key}
              className="timeline-grid"
              x1="0"
              x2="100%"
              y1={(n + 1) * laneHeight}
              y2={(n + 1) * laneHeight}
            />
          ))}
          {visits.map((visit, n) => (
            <Bar
              key={n}
              visit={visit}
              middle={middleOf(visit)}
              period={period}
              colour={colourOf(visit.technology, scheme)}
              name={nameOf(visit.apId)}
            />
          ))}
          {moves.map((move, n) => (
            <MoveMark
              key={n}
              x={percentOf(move.atMs, period)}
              from={middleOf(move.from)}
              to={middleOf(move.to)}
            />
          ))}
        </svg>
      </div>
      {hidden > 0 && (
        <Text size="xs" c="dimmed">
          The {lanes.length} access points that were used last have a lane. The table has the others as well.
        </Text>
      )}
    </>
  )
}

const percentOf = (ms: number, { fromMs, toMs }: Period): number =>
  Math.max(0, Math.min(100, (100 * (ms - fromMs)) / (toMs - fromMs)))

interface TicksProps {
  period: Period
  max: number
  /** Of all lanes. */
  height: number
}

function Ticks({ period, max, height }: TicksProps) {
  const { times, stepMs } = timeTicks(period, max)
  return times.map((ms) => {
    const percent = percentOf(ms, period)
    return (
      <g key={ms}>
        <line className="timeline-grid" x1={`${percent}%`} x2={`${percent}%`} y1={0} y2={height + 4} />
        <text
          x={`${percent}%`}
          y={height + 18}
          // At the edges the text would be cut off.
          textAnchor={percent < 5 ? 'start' : percent > 95 ? 'end' : 'middle'}
        >
          {formatTick(ms, stepMs)}
        </text>
      </g>
    )
  })
}

interface BarProps {
  visit: Visit
  /** Of its lane; undefined if that is not shown. */
  middle: number | undefined
  period: Period
  colour: string
  name: string
}

/** An attachment, with a mark at its end if it did not move: a cross if the connection was lost. */
function Bar({ visit, middle, period, colour, name }: BarProps) {
  if (middle === undefined) return null
  const { technology, sinceMs, untilMs, ended } = visit
  const [from, to] = [percentOf(sinceMs, period), percentOf(untilMs, period)]
  const until = ended === null ? 'now' : formatRecentTime(untilMs)
  const hasEndMark = ended !== null && ended !== 'moved' && within(period, untilMs)
  return (
    <g>
      <rect
        x={`${from}%`}
        y={middle - barHeight / 2}
        height={barHeight}
        rx={2}
        fill={colour}
        // Short attachments stay visible.
        style={{ width: `max(3px, ${to - from}%)` }}
      >
        <title>
          {`${name} (${technology}), ${formatRecentTime(sinceMs)} to ${until}, ${formatDuration(untilMs - sinceMs)}, ${stateText(visit)}`}
        </title>
      </rect>
      {hasEndMark && (
        <svg x={`${to}%`} y={middle} overflow="visible">
          <path
            className="timeline-mark"
            d={ended === 'dropped' ? 'M-5 -5L5 5M5 -5L-5 5' : `M0 -${barHeight / 2 + 2}V${barHeight / 2 + 2}`}
          />
        </svg>
      )}
    </g>
  )
}

interface MoveMarkProps {
  /** In percent. */
  x: number
  /** Middles of the lanes; undefined if one is not shown. */
  from: number | undefined
  to: number | undefined
}

/** An arrow from lane to lane; within one lane a line across it. */
function MoveMark({ x, from, to }: MoveMarkProps) {
  if (to === undefined) return null
  if (from === undefined || from === to)
    return (
      <line
        className="timeline-mark"
        x1={`${x}%`}
        x2={`${x}%`}
        y1={to - barHeight / 2 - 4}
        y2={to + barHeight / 2 + 4}
      />
    )
  const direction = to > from ? 1 : -1
  const tip = to - (direction * barHeight) / 2
  return (
    <g>
      <line className="timeline-mark" x1={`${x}%`} x2={`${x}%`} y1={from} y2={tip} />
      <svg x={`${x}%`} y={tip} overflow="visible">
        <path className="timeline-arrow" d={`M0 0L-4 ${-7 * direction}H4Z`} />
      </svg>
    </g>
  )
}
