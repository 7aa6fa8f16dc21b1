import type { TokenData } from '@manc/sdk'
import { useQuery } from '@tanstack/react-query'
import { useSession } from './session.tsx'

/** Whoever is signed in, and what they may do as far as a page has to know: the controller decides. */
export function useMe() {
  const { manc, username } = useSession()
  const { data, isPending, error, refetch } = useQuery({
    queryKey: ['me', username],
    queryFn: ({ signal }) => manc.users.me({ signal }),
    staleTime: 60_000,
    enabled: username !== undefined,
  })
  // An old answer is better than none: an error is one only where there is nothing else.
  return { username, isPending, error: data ? null : error, refetch, ...ranksOf(data) }
}

function ranksOf(me: TokenData | undefined) {
  const names = me?.roles.toLowerCase().split(',') ?? []
  const isAdmin = names.includes('admin') || names.includes('administrator')
  return { isAdmin, isOperator: isAdmin || names.includes('operator') }
}
