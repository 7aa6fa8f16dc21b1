import { expect, it } from 'vitest'
import { alarmsQuery, alarmsSearch, countsOf, hasCounts, parseAlarmsFilter } from './alarms-search.ts'

it('a filter is read from the address and written to it', () => {
  const search = {
    severity: 'critical,warning',
    state: 'all',
    technology: 'LiFi',
    rule: 'load_pct.bad',
    acknowledged: 'no',
    silenced: 'yes',
  } as const
  expect(alarmsSearch(parseAlarmsFilter(search))).toEqual(search)
  expect(alarmsQuery(parseAlarmsFilter(search))).toEqual({
    severity: ['critical', 'warning'],
    state: 'all',
    technology: ['LiFi'],
    rule: 'load_pct.bad',
    acknowledged: 'false',
    silenced: 'true',
  })
})

it('invalid parameters are ignored, and defaults are not written', () => {
  const filter = parseAlarmsFilter({
    severity: 'fatal',
    state: 7,
    technology: true,
    rule: 1,
    acknowledged: 'x',
    silenced: 'true',
  })
  expect(alarmsSearch(filter)).toEqual({})
  expect(alarmsQuery(filter)).toEqual({ state: 'open' })
})

it('the list has counts unless a filter is set that the summary does not have', () => {
  const has = (search: Record<string, unknown>) => hasCounts(parseAlarmsFilter(search))
  expect([{}, { severity: 'info' }, { silenced: 'no' }].map(has)).toEqual([true, true, true])
  const others = [{ state: 'all' }, { technology: 'WiFi' }, { rule: 'a' }, { acknowledged: 'no' }]
  expect(others.map(has)).toEqual([false, false, false, false])
})

it('the counts are those of the list', () => {
  const counts = { acknowledged: 4, unacknowledged: 3, silenced: 2, inhibited: 1 }
  const [ofNew, inhibited] = [
    { count: 3, name: 'new' },
    { count: 1, name: 'inhibited' },
  ]
  expect(countsOf(counts, undefined)).toEqual({
    total: 10,
    notes: [ofNew, { count: 2, name: 'silenced' }, inhibited],
  })
  expect(countsOf(counts, 'no')).toEqual({ total: 8, notes: [ofNew, inhibited] })
  expect(countsOf(counts, 'yes')).toEqual({ total: 2, notes: [] })
  const allNew = { acknowledged: 0, unacknowledged: 3, silenced: 0, inhibited: 0 }
  expect(countsOf(allNew, undefined)).toEqual({ total: 3, notes: [] })
})
