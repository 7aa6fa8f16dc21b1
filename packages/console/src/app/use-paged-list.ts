import { useCallback, useEffect, useRef, useState } from 'react'
import { reportSessionEnd } from './query-client.ts'

interface PagedList<Item> {
  items: readonly Item[]
  isPending: boolean
  error: unknown
  /** There are no more items. */
  isDone: boolean
  more: () => void
}

/** A long list that is read page by page on request. It starts again when `key` changes. */
export function usePagedList<Item>(
  key: string,
  open: (signal: AbortSignal) => AsyncIterator<Item, unknown>,
  pageSize: number,
): PagedList<Item> {
  const [state, setState] = useState<Omit<PagedList<Item>, 'more'>>(emptyList)
  const list = useRef<AsyncIterator<Item, unknown>>(undefined)
  const openRef = useRef(open)
  openRef.current = open
  const read = useCallback(
    async (from: AsyncIterator<Item, unknown>) => {
      setState((before) => ({ ...before, isPending: true, error: undefined }))
      const found: Item[] = []
      try {
        while (found.length < pageSize) {
          const { value, done } = await from.next()
          if (done) break
          found.push(value)
        }
        if (list.current !== from) return
        setState(({ items }) => ({
          items: [...items, ...found],
          isPending: false,
          error: undefined,
          isDone: found.length < pageSize,
        }))
      } catch (error) {
        if (list.current !== from) return
        setState((before) => ({ ...before, isPending: false, error, isDone: true }))
        reportSessionEnd(error)
      }
    },
    [pageSize],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the list
  useEffect(() => {
    const abort = new AbortController()
    const from = openRef.current(abort.signal)
    list.current = from
    setState(emptyList)
    void read(from)
    return () => {
      list.current = undefined
      abort.abort()
    }
  }, [key, read])
  return {
    ...state,
    more: () => {
      if (list.current && !state.isPending) void read(list.current)
    },
  }
}

const emptyList = { items: [], isPending: true, error: undefined, isDone: false }
