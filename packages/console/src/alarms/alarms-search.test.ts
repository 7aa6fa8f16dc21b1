import { expect, it } from 'vitest'
import { alarmsQuery, alarmsSearch, parseAlarmsFilter } from './alarms-search.ts'

it('a filter is read from the address and written to it', () => {
  const search = {
    severity: 'critical,warning',
    state: 'all',
    technology: 'LiFi',
    rule: 'load_pct.bad',
    acknowledged: 'no',
  } as const
  expect(alarmsSearch(parseAlarmsFilter(search))).toEqual(search)
  expect(alarmsQuery(parseAlarmsFilter(search))).toEqual({
    severity: ['critical', 'warning'],
    state: 'all',
    technology: ['LiFi'],
    rule: 'load_pct.bad',
    acknowledged: 'false',
  })
})

it('invalid parameters are ignored, and defaults are not written', () => {
  const filter = parseAlarmsFilter({
    severity: 'fatal',
    state: 7,
    technology: true,
    rule: 1,
    acknowledged: 'x',
  })
  expect(alarmsSearch(filter)).toEqual({})
  expect(alarmsQuery(filter)).toEqual({ state: 'open' })
})
