import { Unreachable } from '@manc/sdk'
import { Badge, Box, VisuallyHidden } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import type { QueryCacheNotifyEvent } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { formatAge } from '../format/time.ts'
import { alarmFills } from '../ui/colours.ts'
import { useNow } from '../ui/states.tsx'
import { queryClient } from './query-client.ts'

/** Since when the controller has not answered, in the header of every page; nothing while it answers. */
export function ConnectionStatus() {
  const lostAtMs = useLostConnection()
  return (
    <div role="status">
      {lostAtMs !== undefined && (
        <>
          <Badge
            color={alarmFills.bad}
            size="lg"
            radius="sm"
            tt="none"
            leftSection={<IconPlugConnectedX size={14} aria-hidden />}
          >
            <Box component="span" visibleFrom="sm">
              No connection to the controller{' '}
            </Box>
            <Box component="span" hiddenFrom="sm">
              Offline{' '}
            </Box>
            <span className="figures" aria-hidden>
              <Age sinceMs={lostAtMs} />
            </span>
          </Badge>
          <VisuallyHidden>The data on this page may be out of date. It updates automatically.</VisuallyHidden>
        </>
      )}
    </div>
  )
}

function Age({ sinceMs }: { sinceMs: number }) {
  return formatAge(useNow() - sinceMs)
}

function useLostConnection(): number | undefined {
  const [lostAtMs, setLostAtMs] = useState(() => (navigator.onLine ? undefined : Date.now()))
  useEffect(() => {
    const lose = () => setLostAtMs((before) => before ?? Date.now())
    addEventListener('offline', lose)
    const unsubscribe = queryClient.getQueryCache().subscribe((event) => {
      const outcome = outcomeOf(event)
      if (outcome === 'answered') setLostAtMs(undefined)
      else if (outcome === 'unreachable') lose()
    })
    return () => {
      removeEventListener('offline', lose)
      unsubscribe()
    }
  }, [])
  return lostAtMs
}

function outcomeOf(event: QueryCacheNotifyEvent): 'answered' | 'unreachable' | undefined {
  if (event.type !== 'updated') return undefined
  const { action } = event
  // Some queries succeed without an answer: they report that there is none.
  if (action.type === 'success' && !action.manual && event.query.meta?.['isLocal'] !== true) return 'answered'
  return action.type === 'error' && action.error instanceof Unreachable ? 'unreachable' : undefined
}
