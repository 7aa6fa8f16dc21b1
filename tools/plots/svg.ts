import { type EChartsOption, init } from 'echarts'

/** Draws a chart as SVG. The same chart gives the same bytes. */
export function drawSvg(option: EChartsOption, width: number, height: number): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height })
  chart.setOption(option)
  const svg = chart.renderToSVGString()
  chart.dispose()
  // Identifiers contain the number of charts drawn before in this process.
  return `${withoutHover(svg).replaceAll(/\bzr\d+-/g, 'plot-')}\n`
}

/** ECharts has no option against its hover styles, which an image does not use. */
function withoutHover(svg: string): string {
  return svg.replaceAll(/ (?:class|pointer-events)="[^"]*"/g, '').replace(/<style[^>]*>.*?<\/style>\n?/s, '')
}
