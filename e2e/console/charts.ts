import type { Page } from 'playwright-core'
import { downloadOf } from '../browser.ts'

/** The exported CSV of a page with charts: by metric, from timestamp to value. */
export async function exportedCharts(page: Page): Promise<Map<string, Map<string, number>>> {
  await page.getByRole('button', { name: 'Export' }).click()
  const text = String(await downloadOf(page, page.getByRole('menuitem', { name: 'Values as CSV' })))
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
