import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { isLive, parseRange, rangeSearch, type TimeRange } from './time-range.ts'

/** The last live range of this tab, to return to it. */
let lastLive: TimeRange | undefined

interface Change {
  /** Without an entry in the history of the browser. */
  replace?: boolean
}

export interface RangeOf<Usual> {
  range: TimeRange | Usual
  /** Undefined: the usual range of the page. */
  setRange: (range: TimeRange | undefined, change?: Change) => void
  /** The range to return to from a fixed period. */
  live: TimeRange
}

/** The range in the address, which all pages share. `usual` is that of a page without one in the address. */
export function useTimeRange<Usual extends TimeRange | undefined>(usual: Usual): RangeOf<Usual> {
  const { range: last, from, to } = useSearch({ strict: false })
  const navigate = useNavigate()
  const range = useMemo(() => parseRange({ range: last, from, to }) ?? usual, [last, from, to, usual])
  if (range && isLive(range)) lastLive = range
  const setRange = useCallback(
    (next: TimeRange | undefined, { replace = false }: Change = {}) =>
      void navigate({
        to: '.',
        search: (before: object) => ({ ...before, ...rangeSearch(next) }),
        replace,
        resetScroll: false,
      }),
    [navigate],
  )
  return { range, setRange, live: lastLive ?? { lastS: 900 } }
}
