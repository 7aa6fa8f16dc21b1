import { type KeptToken, Manc, NotLoggedIn } from '@manc/sdk'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { onSessionEnd, queries } from './queries.ts'

const storageKey = 'manc.session'

/** What the tab keeps over a reload. The password is in memory alone. */
interface Kept extends KeptToken {
  username: string
}

interface Session {
  manc: Manc
  /** Undefined where nobody is signed in. */
  username: string | undefined
  /** Throws where the controller says no. */
  signIn(username: string, password: string): Promise<void>
  signOut(): void
  /** The one that requests carry, as long as it lives. */
  token: () => KeptToken | undefined
}

const forgetters = new Set<() => void>()

/** For a room that keeps something outside of the queries: whoever signs in next finds nothing of it. */
export const onSignOut = (forget: () => void): void => void forgetters.add(forget)

const SessionContext = createContext<Session | undefined>(undefined)

export function SessionProvider({ children }: { children: ReactNode }) {
  const [username, setUsername] = useState(() => readKept()?.username)
  const manc = useMemo(() => {
    const kept = readKept()
    return new Manc({
      url: location.origin,
      retryForMs: 8000,
      ...(kept && { token: kept }),
      onToken: (token) => {
        const name = signingIn.username || readKept()?.username
        if (name) sessionStorage.setItem(storageKey, JSON.stringify({ ...token, username: name }))
      },
    })
  }, [])
  // A password that was refused is not tried again with every request: that would lock the account.
  useEffect(
    () =>
      onSessionEnd((error) => {
        if (error instanceof NotLoggedIn) manc.logOut()
      }),
    [manc],
  )
  const session = useMemo<Session>(
    () => ({
      manc,
      username,
      async signIn(name, password) {
        signingIn.username = name
        try {
          await manc.logIn({ username: name, password })
        } catch (error) {
          manc.logOut()
          throw error
        }
        setUsername(name)
      },
      signOut() {
        sessionStorage.removeItem(storageKey)
        manc.logOut()
        queries.clear()
        for (const forget of forgetters) forget()
        setUsername(undefined)
      },
      token: readKept,
    }),
    [manc, username],
  )
  return <SessionContext value={session}>{children}</SessionContext>
}

/** Whose token the next one is. */
const signingIn = { username: '' }

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('SessionProvider is missing')
  return session
}

export const useManc = (): Manc => useSession().manc

function readKept(): Kept | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null') as Kept | null
    return kept && kept.expiresAt > Date.now() ? kept : undefined
  } catch {
    return undefined
  }
}
