import type { Page } from 'playwright-core'
import { downloadOf } from '../browser.ts'

/** The exported CSV of a page with charts: by metric, from timestamp to value. */
export async function exportedCharts(
  page: Page,
  item: RegExp = /^Values as CSV/,
): Promise<Map<string, Map<string, number>>> {
  await page.getByRole('button', { name: 'Export' }).click()
  const text = String(await downloadOf(page, page.getByRole('menuitem', { name: item })))
  const [head = '', ...rows] = text.trim().split('\r\n')
  const names = head.split(',').slice(1)
  const series = new Map(names.map((name) => [name, new Map<string, number>()]))
  for (const row of rows) {
    const [timestamp = '', ...cells] = row.split(',')
    for (const [n, cell] of cells.entries())
      if (cell !== '') series.get(names[n] ?? '')?.set(timestamp, Number(cell))
  }
  return series
}

/** Drags over the first chart, from one fraction of its width to another. */
export async function dragOverChart(page: Page, from: number, to: number): Promise<void> {
  const box = await page.locator('.chart .u-over').first().boundingBox()
  if (!box) throw new Error('The page has no chart.')
  await page.mouse.move(box.x + box.width * from, box.y + 40)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * to, box.y + 40, { steps: 5 })
  await page.mouse.up()
}

/** Selects a live range: `1 h`. */
export async function selectLast(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^Time range:/ }).click()
  await page.getByRole('button', { name: `Last ${name}`, exact: true }).click()
}

/** The fixed period in the address, in milliseconds; undefined for a live range. */
export function periodIn(page: Page): [from: number, to: number] | undefined {
  const search = new URL(page.url()).searchParams
  const [from, to] = [search.get('from'), search.get('to')]
  return from && to ? [Date.parse(from), Date.parse(to)] : undefined
}

/** Fixes the period, so that charts do not move. */
export async function pause(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByRole('button', { name: 'Go live' }).waitFor()
}
