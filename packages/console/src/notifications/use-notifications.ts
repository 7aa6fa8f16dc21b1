import { useQuery } from '@tanstack/react-query'
import { useManc } from '../app/session.tsx'

/** Queries that a change of receivers and routes makes out of date. */
export const notificationsKey = ['notifications']

export function useReceivers() {
  const manc = useManc()
  return useQuery({
    queryKey: [...notificationsKey, 'receivers'],
    queryFn: ({ signal }) => manc.notifications.receivers({ signal }),
    staleTime: 30_000,
  })
}

export function useRoutes() {
  const manc = useManc()
  return useQuery({
    queryKey: [...notificationsKey, 'routes'],
    queryFn: ({ signal }) => manc.notifications.routes({ signal }),
    staleTime: 30_000,
  })
}
