import type { EChartsOption } from 'echarts'
import { drawSvg } from '../../tools/plots/svg.ts'
import type { Batch } from './batches.ts'
import type { Step } from './step.ts'

interface Panel {
  title: string
  unit: string
  axis: string
  lines: { name: string; points: [number, number][] }[]
}

const width = 1160
const panelWidth = width / 2
const panelHeight = 300
const margin = { left: 70, right: 30, top: 66, bottom: 46 }
const ink = '#1f2933'
const faint = '#616e7c'
const parts = ['rabbitmq', 'victoria', 'postgres', 'ingester', 'api']
/** Other lines have the colour of the text. A name has the same colour in all panels. */
const colours: Record<string, string> = {
  rabbitmq: '#c2410c',
  victoria: '#0f766e',
  postgres: '#1d4ed8',
  ingester: '#7e22ce',
  api: '#a16207',
  figures: '#c2410c',
}

/** An SVG with the curves of the growth bench. */
export function plotGrowth(steps: readonly Step[], batches: readonly Batch[]): string {
  const axis = 'registered agents'
  const line = (name: string, of: (step: Step) => number) => ({
    name,
    points: steps.map((step): [number, number] => [step.agents, of(step)]),
  })
  const panels: Panel[] = [
    {
      title: 'CPU time of a message',
      unit: 'µs',
      axis,
      lines: ['all', ...parts].map((part) => line(part, ({ cpu_us }) => cpu_us[part] ?? Number.NaN)),
    },
    {
      title: 'Memory',
      unit: 'MiB',
      axis,
      lines: parts.map((part) => line(part, ({ rss_mib }) => rss_mib[part] ?? Number.NaN)),
    },
    {
      title: 'p99 of reads of the whole fleet',
      unit: 'ms',
      axis,
      lines: [
        line('summary', ({ summary_p99_ms }) => summary_p99_ms),
        line('figures', ({ figures_p99_ms }) => figures_p99_ms),
      ],
    },
    {
      title: 'Points per second at full speed',
      unit: 'points/s',
      axis: 'samples in a message',
      lines: [
        { name: 'stored', points: batches.map((batch) => [batch.samples_per_message, batch.points_per_s]) },
      ],
    },
  ]
  return drawSvg(optionOf(panels), width, 2 * panelHeight)
}

function optionOf(panels: readonly Panel[]): EChartsOption {
  const boxes = panels.map((panel, index) => ({
    panel,
    gridIndex: index,
    left: (index % 2) * panelWidth + margin.left,
    top: Math.floor(index / 2) * panelHeight + margin.top,
  }))
  const style = {
    nameLocation: 'middle' as const,
    nameTextStyle: { fontSize: 11, color: faint },
    axisLabel: { fontSize: 11, color: faint },
  }
  return {
    animation: false,
    // White, so that the text is readable on a dark page as well.
    backgroundColor: '#ffffff',
    textStyle: { fontFamily: 'system-ui, sans-serif', color: ink },
    title: boxes.map(({ panel, left, top }) => ({
      text: panel.title,
      left: left - 5,
      top: top - 58,
      textStyle: { fontSize: 14, color: ink },
    })),
    legend: boxes.map(({ panel, left, top }) => ({
      data: panel.lines.map(({ name }) => name),
      left,
      top: top - 30,
      itemGap: 18,
      itemWidth: 14,
      itemHeight: 3,
      icon: 'rect',
      textStyle: { fontSize: 11, color: ink },
    })),
    grid: boxes.map(({ left, top }) => ({
      left,
      top,
      width: panelWidth - margin.left - margin.right,
      height: panelHeight - margin.top - margin.bottom,
    })),
    xAxis: boxes.map(({ panel, gridIndex }) => ({
      ...style,
      gridIndex,
      type: 'log' as const,
      name: panel.axis,
      nameGap: 26,
      min: 'dataMin' as const,
    })),
    yAxis: boxes.map(({ panel, gridIndex }) => ({
      ...style,
      gridIndex,
      type: 'value' as const,
      name: panel.unit,
      nameGap: 52,
      min: 0,
    })),
    series: boxes.flatMap(({ panel, gridIndex }) =>
      panel.lines.map(({ name, points }) => ({
        type: 'line' as const,
        name,
        xAxisIndex: gridIndex,
        yAxisIndex: gridIndex,
        symbolSize: 5,
        itemStyle: { color: colours[name] ?? ink },
        lineStyle: { width: 1.5 },
        data: points,
      })),
    ),
  }
}
