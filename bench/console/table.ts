import { setTimeout as sleep } from 'node:timers/promises'
import { tableMetrics, tableSorts } from '@manc/contract'
import pg from 'pg'
import type { Page, Request } from 'playwright-core'
import { median, percentile, rounded } from '../bench.ts'
import type { BenchEnvironment } from '../environment.ts'

const pageSize = 100
const clickedColumns = ['Name', 'Load', 'Clients', 'Latency', 'Last seen', 'Health', 'Version', 'Power']
const filters = [
  '',
  'health=bad',
  'technology=WiFi&state=online',
  'q=hall 12',
  'q=ap-77',
  'health=degraded&health=bad',
]

interface Options {
  quick: boolean
  log: (line: string) => void
}

/** From a reload without cache to the first rows, and the size of the files of the page. */
export async function loadTable(page: Page, url: string, { quick, log }: Options) {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  let requests: Request[] = []
  page.on('request', (request) => requests.push(request))
  const times: number[] = []
  let bytes = 0
  for (let round = 0; round < (quick ? 3 : 10); round++) {
    requests = []
    const startedAt = performance.now()
    await page.goto(`${url}/access-points`)
    await page.locator('[role=row][data-index="0"]').waitFor()
    times.push(performance.now() - startedAt)
    await sleep(300)
    bytes = await filesOf(requests)
  }
  await session.detach()
  log(`first rows after ${Math.round(median(times))} ms, ${Math.round(bytes / 1024)} KB of files`)
  return { rowsMs: Math.round(median(times)), kb: Math.round(bytes / 1024) }
}

/** The bytes of the files that a page consists of, as they were sent. */
async function filesOf(requests: readonly Request[]): Promise<number> {
  const files = requests.filter((each) => ['document', 'script', 'stylesheet'].includes(each.resourceType()))
  const sizes = await Promise.all(files.map(async (each) => (await each.sizes()).responseBodySize))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Runs in the page: clicks a header, and resolves with the time until the rows of the new order are drawn. */
const sortBy = (label: string) => `(async () => {
  const grid = document.querySelector('[role=grid]')
  const buttons = Array.from(document.querySelectorAll('[role=columnheader] button'))
  const before = grid.dataset.shown
  const startedAt = performance.now()
  buttons.find((button) => button.textContent.startsWith(${JSON.stringify(label)})).click()
  for (;;) {
    await new Promise(requestAnimationFrame)
    if (grid.dataset.shown !== before && grid.ariaBusy === 'false') return performance.now() - startedAt
    if (performance.now() - startedAt > 30000) throw new Error('The table was not sorted.')
  }
})()`

/** Sorts by clicks on headers, as an operator does: from the click to the drawn rows. */
export async function clickTable(page: Page, url: string, { quick, log }: Options) {
  await page.goto(`${url}/access-points`)
  await page.locator('[role=row][data-index="0"]').waitFor()
  const times: number[] = []
  for (let round = 0; round < (quick ? 2 : 10); round++)
    for (const label of clickedColumns) times.push(await page.evaluate<number>(sortBy(label)))
  log(
    `sorting in the browser: median ${Math.round(median(times))} ms, p95 ${Math.round(percentile(times, 0.95))} ms`,
  )
  return Math.round(percentile(times, 0.95))
}

/** Pages of every sort and filter through the API. */
export async function requestPages(environment: BenchEnvironment, { quick, log }: Options) {
  const times = { sort: [] as number[], filter: [] as number[] }
  const ofSort = new Map<string, number[]>()
  const get = async (query: string): Promise<{ ms: number; total: number }> => {
    const startedAt = performance.now()
    const response = await fetch(`${environment.server.url}/api/v1/fleet/table?limit=${pageSize}&${query}`, {
      headers: { authorization: `Bearer ${environment.token}` },
    })
    const body = (await response.json()) as { total: number; rows: unknown[]; has_metrics: boolean }
    if (response.status !== 200 || !body.has_metrics) throw new Error(`${query}: ${response.status}`)
    return { ms: performance.now() - startedAt, total: body.total }
  }
  const { total } = await get('')
  for (let round = 0; round < (quick ? 2 : 10); round++) {
    for (const sort of tableSorts)
      for (const order of ['asc', 'desc']) {
        const offset = Math.floor((Math.random() * total) / 2)
        const { ms } = await get(`sort=${sort}&order=${order}&offset=${round % 2 ? offset : 0}`)
        times.sort.push(ms)
        ofSort.set(sort, [...(ofSort.get(sort) ?? []), ms])
      }
    for (const filter of filters)
      for (const sort of ['health', 'name', 'load_pct'])
        times.filter.push((await get(`${filter}&sort=${sort}`)).ms)
  }
  log([...ofSort].map(([sort, each]) => `${sort} ${Math.round(median(each))} ms`).join(', '))
  for (const [name, each] of Object.entries(times))
    log(
      `${name}: median ${rounded(median(each), 1)} ms, p95 ${rounded(percentile(each, 0.95), 1)} ms, most ${rounded(Math.max(...each), 1)} ms`,
    )
  return {
    sortMs: rounded(percentile(times.sort, 0.95), 1),
    filterMs: rounded(percentile(times.filter, 0.95), 1),
  }
}

/** The first page by name, and its metrics, with the bare engines; against the API. */
export async function compareWithBare(environment: BenchEnvironment, { quick }: Options): Promise<number> {
  const client = new pg.Client({ connectionString: environment.databaseUrl })
  await client.connect()
  const bare = async () => {
    const { rows } = await client.query<{ ap_id: string }>(
      `select * from fleet order by name_key nulls last, ap_id limit ${pageSize}`,
    )
    const ids = rows.map(({ ap_id: apId }) => apId).join('|')
    const query = new URLSearchParams({
      'match[]': `{__name__=~"${tableMetrics.join('|')}",ap_id=~"${ids}"}`,
      start: String(Date.now() / 1000 - 30),
      end: String(Date.now() / 1000 + 60),
    })
    const response = await fetch(`${environment.engines.urls.victoria}/federate?${query.toString()}`)
    await response.text()
  }
  const ours = async () => {
    const response = await fetch(`${environment.server.url}/api/v1/fleet/table?limit=${pageSize}&sort=name`, {
      headers: { authorization: `Bearer ${environment.token}` },
    })
    await response.json()
  }
  const timeOf = async (run: () => Promise<void>) => {
    const startedAt = performance.now()
    await run()
    return performance.now() - startedAt
  }
  const ratios: number[] = []
  await ours()
  await bare()
  try {
    for (let round = 0; round < (quick ? 10 : 50); round++) {
      const [theirs, mine] = [await timeOf(bare), await timeOf(ours)]
      ratios.push(theirs / mine)
    }
  } finally {
    await client.end()
  }
  return rounded(median(ratios))
}
