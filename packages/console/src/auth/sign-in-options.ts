import type { SignInOptions } from '@manc/sdk'
import { useQuery } from '@tanstack/react-query'
import { useManc } from '../app/session.tsx'

/** How accounts are created at this controller; undefined until it has answered. */
export function useSignInOptions(): SignInOptions | undefined {
  const manc = useManc()
  const { data } = useQuery({
    queryKey: ['sign-in options'],
    queryFn: ({ signal }) => manc.users.signInOptions({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data
}
