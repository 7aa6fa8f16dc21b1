import type uPlot from 'uplot'
import { formatDateTime } from '../format/time.ts'
import { saveFile } from '../ui/save-file.ts'
import { chartColours } from './chart-colours.ts'

export const saveCsv = (name: string, text: string): void =>
  saveFile(`${name}.csv`, new Blob([text], { type: 'text/csv' }))

/** `wifi-3 2026-11-15 10-30-05`: sortable, and valid in every file system. */
export const fileName = (what: string, ms: number): string =>
  `${what} ${formatDateTime(ms)}`.replaceAll(/[^\w. -]/g, '-')

const margin = 24
const headline = 56
const caption = 28

/** Saves charts as one image, by title. */
export async function savePng(
  name: string,
  title: string,
  plots: ReadonlyMap<string, uPlot>,
  scheme: 'light' | 'dark',
): Promise<void> {
  const colours = chartColours[scheme]
  const charts = [...plots].map(([text, { ctx, width, height }]) => ({
    text,
    from: ctx.canvas,
    width,
    height,
  }))
  if (charts.length === 0)
    throw new Error('There are no charts to export. Select metrics under Metrics, then try again.')
  const columns = charts.length > 3 ? 2 : 1
  const chartWidth = Math.max(...charts.map(({ width }) => width))
  const chartHeight = Math.max(...charts.map(({ height }) => height)) + caption
  const ratio = (charts[0]?.from.width ?? chartWidth) / (charts[0]?.width ?? chartWidth)
  const canvas = document.createElement('canvas')
  canvas.width = (columns * (chartWidth + margin) + margin) * ratio
  canvas.height = (headline + Math.ceil(charts.length / columns) * (chartHeight + margin)) * ratio
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser cannot create the image. Export the values as CSV instead.')
  context.scale(ratio, ratio)
  context.fillStyle = colours.background
  context.fillRect(0, 0, canvas.width, canvas.height)
  const write = (text: string, x: number, y: number, font: string) => {
    context.fillStyle = colours.title
    context.font = `${font} system-ui, -apple-system, "Segoe UI", Roboto, sans-serif`
    context.fillText(text, x, y)
  }
  write(title, margin, 34, '600 16px')
  for (const [n, { text, from, width, height }] of charts.entries()) {
    const x = margin + (n % columns) * (chartWidth + margin)
    const y = headline + Math.floor(n / columns) * (chartHeight + margin)
    write(text, x, y + 14, '600 14px')
    context.drawImage(from, x, y + caption, width, height)
  }
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (!blob) throw new Error('The image is too large. Show fewer charts, then try again.')
  saveFile(`${name}.png`, blob)
}
