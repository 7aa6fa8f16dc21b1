import type { EChartsOption } from 'echarts'
import type { Line, Page, Panel } from './page.types.ts'
import { drawSvg } from './svg.ts'

const width = 1160
const headHeight = 62
const panelHeight = 200
const margin = { left: 66, right: 26, top: 34, bottom: 42 }
const ink = '#1f2933'
const faint = '#616e7c'
const gridColour = '#dde1e6'

/** Draws a page as SVG. The same page gives the same bytes. */
export function renderPage(page: Page): string {
  const height = headHeight + Math.ceil(page.panels.length / page.columns) * panelHeight
  return drawSvg(optionOf(page), width, height)
}

function optionOf(page: Page): EChartsOption {
  const boxes = page.panels.map((panel, index) => ({ panel, index, ...boxOf(index, page.columns) }))
  return {
    animation: false,
    // White, so that the text is readable on a dark page as well.
    backgroundColor: '#ffffff',
    textStyle: { fontFamily: 'system-ui, sans-serif', color: ink },
    title: [
      { text: page.title, left: 15, top: 8, textStyle: { fontSize: 18, color: ink } },
      {
        text: page.subtitle,
        left: 15,
        top: 32,
        textStyle: { fontSize: 12, fontWeight: 'normal', color: faint },
      },
      ...boxes.map(({ panel, left, top }) => ({
        text: panel.title,
        left: left - 5,
        top: top - 25,
        textStyle: { fontSize: 12, color: ink },
      })),
    ],
    // The title is enough for one line.
    legend: boxes
      .filter(({ panel }) => panel.lines.length > 1)
      .map(({ panel, left, top, width: boxWidth }) => ({
        data: panel.lines.map((line) => line.name),
        right: width - left - boxWidth + 12,
        top: top - 26,
        // Without a browser the width of text is estimated, and some fonts are wider.
        itemGap: 32,
        itemWidth: 14,
        itemHeight: 3,
        icon: 'rect',
        selectedMode: false,
        textStyle: { fontSize: 11, color: ink },
      })),
    grid: boxes.map(({ left, top, width: boxWidth, height }) => ({
      left,
      top,
      width: boxWidth,
      height,
      outerBoundsMode: 'none' as const,
    })),
    xAxis: boxes.map(({ index }) => timeAxisOf(index, page.time)),
    yAxis: boxes.map(({ panel, index }) => valueAxisOf(index, panel)),
    series: boxes.flatMap(({ panel, index }) =>
      panel.lines.map((line) => seriesOf(index, line, page.time.length)),
    ),
  }
}

function boxOf(index: number, columns: number) {
  const panelWidth = width / columns
  return {
    left: Math.round((index % columns) * panelWidth + margin.left),
    top: headHeight + Math.floor(index / columns) * panelHeight + margin.top,
    width: Math.round(panelWidth - margin.left - margin.right),
    height: panelHeight - margin.top - margin.bottom,
  }
}

const axisStyle = {
  nameLocation: 'middle' as const,
  nameTextStyle: { fontSize: 11, color: faint },
  axisLabel: { fontSize: 11, color: faint },
  axisLine: { show: true, onZero: false, lineStyle: { color: faint } },
}

function timeAxisOf(gridIndex: number, { unit, length, tickInterval }: Page['time']) {
  return {
    ...axisStyle,
    gridIndex,
    type: 'value' as const,
    name: `time (${unit})`,
    nameGap: 24,
    min: 0,
    max: length,
    interval: tickInterval,
    axisTick: { show: true, lineStyle: { color: faint } },
    splitLine: { show: false },
  }
}

function valueAxisOf(gridIndex: number, { unit, lines, fromZero, fullScale }: Panel) {
  const largest = Math.max(...lines.flatMap((line) => line.values.filter((value) => value !== undefined)))
  return {
    ...axisStyle,
    gridIndex,
    type: 'value' as const,
    name: unit,
    nameGap: 40,
    scale: !fromZero,
    splitNumber: 4,
    ...(fullScale !== undefined && largest <= fullScale && { max: fullScale, interval: fullScale / 5 }),
    splitLine: { lineStyle: { color: gridColour } },
  }
}

function seriesOf(axisIndex: number, { name, colour, values }: Line, length: number) {
  return {
    type: 'line' as const,
    name,
    xAxisIndex: axisIndex,
    yAxisIndex: axisIndex,
    showSymbol: false,
    silent: true,
    itemStyle: { color: colour },
    lineStyle: { width: 1.3, join: 'round' as const },
    data: values.map((value, n) => [(length * n) / (values.length - 1), value ?? null]),
  }
}
