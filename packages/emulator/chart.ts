/** Line charts as SVG: panels with axes, one time axis, a legend. No more than the plots of this package need. */

export interface Line {
  name: string
  colour: string
  /** Undefined where there was no telemetry: the line is broken there. */
  values: readonly (number | undefined)[]
}

export interface Panel {
  title: string
  unit: string
  lines: readonly Line[]
  /** The axis has at least this much. */
  least?: number
  most?: number
}

export interface Page {
  title: string
  subtitle: string
  columns: number
  panels: readonly Panel[]
  /** Labels along the time axis, evenly spaced from its beginning to its end. */
  times: readonly string[]
}

const width = 1160
const margin = { left: 62, right: 26, top: 34, bottom: 26 }
const panelHeight = 178
const headHeight = 62
const ink = '#1f2933'
const faint = '#616e7c'

export function svgOf(page: Page): string {
  const rows = Math.ceil(page.panels.length / page.columns)
  const height = headHeight + rows * panelHeight + 10
  const panels = page.panels.map((panel, n) => {
    const panelWidth = width / page.columns
    const x = (n % page.columns) * panelWidth
    const y = headHeight + Math.floor(n / page.columns) * panelHeight
    return `<g transform="translate(${round(x)} ${y})">${panelOf(panel, page.times, panelWidth)}</g>`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`,
    ` font-family="system-ui, sans-serif" font-size="11" fill="${ink}">`,
    `<rect width="${width}" height="${height}" fill="#fcfcfa"/>`,
    text(20, 27, page.title, 'font-size="18" font-weight="600"'),
    text(20, 46, page.subtitle, `font-size="12" fill="${faint}"`),
    ...panels,
    '</svg>\n',
  ].join('\n')
}

function panelOf(panel: Panel, times: readonly string[], panelWidth: number): string {
  const innerWidth = panelWidth - margin.left - margin.right
  const innerHeight = panelHeight - margin.top - margin.bottom
  const ticks = ticksOf(panel)
  const low = ticks[0] ?? 0
  const high = ticks.at(-1) ?? 1
  const yOf = (value: number) => innerHeight * (1 - (value - low) / (high - low))

  const grid = ticks.map((tick) => {
    const y = round(yOf(tick))
    const line = `<path d="M0 ${y}H${round(innerWidth)}" stroke="#dde1e6"/>`
    return line + text(-7, y + 4, String(tick), `text-anchor="end" fill="${faint}"`)
  })
  const clock = times.map((time, n) => {
    const x = round((innerWidth * n) / (times.length - 1))
    const mark = `<path d="M${x} ${innerHeight}v4" stroke="${faint}"/>`
    return mark + text(x, innerHeight + 16, time, `text-anchor="middle" fill="${faint}"`)
  })
  const lines = panel.lines.map((line) => pathOf(line, innerWidth, yOf))
  let legendX = innerWidth
  const legend =
    panel.lines.length < 2
      ? []
      : panel.lines.toReversed().map((line) => {
          legendX -= 6.2 * line.name.length + 26
          const swatch = `<path d="M${round(legendX)} -12h14" stroke="${line.colour}" stroke-width="2.5"/>`
          return swatch + text(legendX + 18, -8, line.name, '')
        })
  return [
    `<g transform="translate(${margin.left} ${margin.top})">`,
    text(0, -8, `${panel.title} (${panel.unit})`, 'font-weight="600"'),
    ...grid,
    ...clock,
    ...legend,
    ...lines,
    `<path d="M0 0V${innerHeight}H${round(innerWidth)}" fill="none" stroke="${faint}"/>`,
    '</g>',
  ].join('\n')
}

function pathOf({ colour, values }: Line, innerWidth: number, yOf: (value: number) => number): string {
  let isDown = false
  const steps = values.map((value, n) => {
    const wasDown = isDown
    isDown = value !== undefined
    if (value === undefined) return ''
    return `${wasDown ? 'L' : 'M'}${round((innerWidth * n) / (values.length - 1))} ${round(yOf(value))}`
  })
  return `<path d="${steps.join('')}" fill="none" stroke="${colour}" stroke-width="1.3" stroke-linejoin="round"/>`
}

/** Round numbers from below all values to above them, three to six. */
function ticksOf({ lines, least, most }: Panel): number[] {
  const values = lines.flatMap((line) => line.values.filter((value) => value !== undefined))
  const low = Math.min(least ?? Infinity, ...values)
  const high = Math.max(most ?? -Infinity, ...values)
  const rough = Math.max(high - low, 1e-6) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power
  const from = Math.floor(low / step)
  const count = Math.max(1, Math.ceil(high / step - 1e-9) - from)
  return Array.from({ length: count + 1 }, (_, n) => Number(((from + n) * step).toPrecision(6)))
}

function text(x: number, y: number, words: string, attributes: string): string {
  const safe = words.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<text x="${round(x)}" y="${round(y)}" ${attributes}>${safe}</text>`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
