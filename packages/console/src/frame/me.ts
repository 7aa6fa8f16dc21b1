import type { TokenData } from '@manc/sdk'
import { useQuery } from '@tanstack/react-query'
import { useSession } from './session.tsx'

/** Whoever is signed in, and what they may do as far as a page has to know: the controller decides. */
export function useMe() {
  const { manc, username } = useSession()
  const { data, isPending } = useQuery({
    queryKey: ['me', username],
    queryFn: ({ signal }) => manc.users.me({ signal }),
    staleTime: 60_000,
  })
  return { username, isPending, ...ranksOf(data) }
}

function ranksOf(me: TokenData | undefined) {
  const names = me?.roles.toLowerCase().split(',') ?? []
  const isAdmin = names.includes('admin') || names.includes('administrator')
  return { isAdmin, isOperator: isAdmin || names.includes('operator') }
}
