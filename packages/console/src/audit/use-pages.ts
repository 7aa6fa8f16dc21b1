import { useCallback, useEffect, useRef, useState } from 'react'
import { tellOfEnd } from '../frame/queries.ts'

interface Pages<Item> {
  items: readonly Item[]
  isPending: boolean
  error: unknown
  /** Whether there is no more. */
  isDone: boolean
  more: () => void
}

/** A long list, of which the next piece is read when it is asked for. Another `key` is another list. */
export function usePages<Item>(
  key: string,
  open: (signal: AbortSignal) => AsyncIterator<Item, unknown>,
  pieceSize: number,
): Pages<Item> {
  const [state, setState] = useState<Omit<Pages<Item>, 'more'>>(nothingYet)
  const list = useRef<AsyncIterator<Item, unknown>>(undefined)
  const opening = useRef(open)
  opening.current = open
  const read = useCallback(
    async (from: AsyncIterator<Item, unknown>) => {
      setState((before) => ({ ...before, isPending: true, error: undefined }))
      const found: Item[] = []
      try {
        while (found.length < pieceSize) {
          const { value, done } = await from.next()
          if (done) break
          found.push(value)
        }
        if (list.current !== from) return
        setState(({ items }) => ({
          items: [...items, ...found],
          isPending: false,
          error: undefined,
          isDone: found.length < pieceSize,
        }))
      } catch (error) {
        if (list.current !== from) return
        setState((before) => ({ ...before, isPending: false, error, isDone: true }))
        tellOfEnd(error)
      }
    },
    [pieceSize],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says which list it is
  useEffect(() => {
    const gone = new AbortController()
    const from = opening.current(gone.signal)
    list.current = from
    setState(nothingYet)
    void read(from)
    return () => {
      list.current = undefined
      gone.abort()
    }
  }, [key, read])
  return {
    ...state,
    more: () => {
      if (list.current && !state.isPending) void read(list.current)
    },
  }
}

const nothingYet = { items: [], isPending: true, error: undefined, isDone: false }
