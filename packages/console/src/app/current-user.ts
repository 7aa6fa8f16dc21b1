import type { TokenData } from '@manc/sdk'
import { useQuery } from '@tanstack/react-query'
import { useSession } from './session.tsx'

/** The signed-in user and the permissions that pages depend on. The controller enforces them. */
export function useCurrentUser() {
  const { manc, username } = useSession()
  const { data, isPending, error, refetch } = useQuery({
    queryKey: ['me', username],
    queryFn: ({ signal }) => manc.users.me({ signal }),
    staleTime: 60_000,
    enabled: username !== undefined,
  })
  // An error is reported only without an earlier answer.
  return { username, isPending, error: data ? null : error, refetch, ...permissionsOf(data) }
}

function permissionsOf(me: TokenData | undefined) {
  const names = me?.roles.toLowerCase().split(',') ?? []
  const isAdmin = names.includes('admin') || names.includes('administrator')
  return { isAdmin, isOperator: isAdmin || names.includes('operator') }
}
