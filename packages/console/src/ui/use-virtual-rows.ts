import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

/** Arrow keys move between rows; Tab leaves the table. */
const keySteps: Record<string, (visible: number) => number> = {
  ArrowUp: () => -1,
  ArrowDown: () => 1,
  PageUp: (visible) => -visible,
  PageDown: (visible) => visible,
  Home: () => -Infinity,
  End: () => Infinity,
}

interface RowsOptions {
  count: number
  /** Of each row, in pixels. */
  height: number
  /** Sort and filter of the rows: another one begins at the top. */
  query: string
}

/** Rows in a viewport that scrolls: only visible ones are rendered, each with its index in `data-index`. */
export function useVirtualRows({ count, height, query }: RowsOptions) {
  const viewport = useRef<HTMLDivElement>(null)
  const [chosen, setFocused] = useState(0)
  /** The row that Tab focuses. */
  const focused = Math.max(0, Math.min(chosen, count - 1))
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => viewport.current,
    estimateSize: () => height,
    overscan: 12,
    // The focused row stays, so that the keyboard does not lose its place.
    rangeExtractor: (range) => {
      const visible = defaultRangeExtractor(range)
      return count > 0 ? [...new Set([focused, ...visible])].toSorted((a, b) => a - b) : visible
    },
  })
  useEffect(() => virtual.measure(), [height])
  const { startIndex = 0, endIndex = 0 } = virtual.range ?? {}
  useEffect(() => {
    viewport.current?.scrollTo({ top: 0 })
    setFocused(0)
  }, [query])
  /** Moves the focus from a row if the key is one that does. Returns whether it is. */
  const moveFocus = (event: KeyboardEvent, from: number): boolean => {
    const step = keySteps[event.key]
    if (!step) return false
    event.preventDefault()
    const visible = Math.max(1, endIndex - startIndex - 1)
    const next = Math.max(0, Math.min(count - 1, from + step(visible)))
    flushSync(() => setFocused(next))
    virtual.scrollToIndex(next, { align: 'auto' })
    viewport.current?.querySelector<HTMLElement>(`[data-index="${next}"]`)?.focus({ preventScroll: true })
    return true
  }
  return { viewport, virtual, focused, setFocused, startIndex, endIndex, moveFocus }
}
