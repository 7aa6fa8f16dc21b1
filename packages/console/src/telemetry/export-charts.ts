import { formatDateTime } from '../format/time.ts'
import { saveFile } from '../ui/save-file.ts'
import type { ChartGroup } from './chart-group.ts'
import { chartColours } from './plot-options.ts'

export const saveCsv = (name: string, text: string): void =>
  saveFile(`${name}.csv`, new Blob([text], { type: 'text/csv' }))

/** `wifi-3 2026-11-15 10-30-05`: what sorts, and what every file system takes. */
export const fileName = (what: string, ms: number): string =>
  `${what} ${formatDateTime(ms)}`.replaceAll(/[^\w. -]/g, '-')

const margin = 24
const headline = 56
const caption = 28

/** All charts of a group under each other, as they are on the page. */
export async function savePng(
  name: string,
  title: string,
  group: ChartGroup,
  scheme: 'light' | 'dark',
): Promise<void> {
  const ink = chartColours[scheme]
  const drawings = [...group.plots].map(([text, { ctx, width, height }]) => ({
    text,
    from: ctx.canvas,
    width,
    height,
  }))
  if (drawings.length === 0)
    throw new Error('There are no charts to export. Select metrics under Metrics, then try again.')
  const columns = drawings.length > 3 ? 2 : 1
  const wide = Math.max(...drawings.map(({ width }) => width))
  const high = Math.max(...drawings.map(({ height }) => height)) + caption
  const ratio = (drawings[0]?.from.width ?? wide) / (drawings[0]?.width ?? wide)
  const canvas = document.createElement('canvas')
  canvas.width = (columns * (wide + margin) + margin) * ratio
  canvas.height = (headline + Math.ceil(drawings.length / columns) * (high + margin)) * ratio
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser cannot create the image. Export the values as CSV instead.')
  context.scale(ratio, ratio)
  context.fillStyle = ink.paper
  context.fillRect(0, 0, canvas.width, canvas.height)
  const write = (text: string, x: number, y: number, font: string) => {
    context.fillStyle = ink.ink
    context.font = `${font} system-ui, -apple-system, "Segoe UI", Roboto, sans-serif`
    context.fillText(text, x, y)
  }
  write(title, margin, 34, '600 16px')
  for (const [n, { text, from, width, height }] of drawings.entries()) {
    const x = margin + (n % columns) * (wide + margin)
    const y = headline + Math.floor(n / columns) * (high + margin)
    write(text, x, y + 14, '600 14px')
    context.drawImage(from, x, y + caption, width, height)
  }
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (!blob) throw new Error('The image is too large. Show fewer charts, then try again.')
  saveFile(`${name}.png`, blob)
}
