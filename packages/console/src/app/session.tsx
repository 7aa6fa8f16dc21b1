import { type KeptToken, Manc, NotLoggedIn } from '@manc/sdk'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { onSessionEnd, queryClient } from './query-client.ts'

const storageKey = 'manc.session'

/** Stored by the tab across reloads. The password is not stored. */
interface StoredSession extends KeptToken {
  username: string
  issuedAt: number
}

interface Session {
  manc: Manc
  /** Undefined if no user is signed in. */
  username: string | undefined
  /** How often a user signed in. A stream that ended with the session starts again when it changes. */
  signIns: number
  /** Throws if the controller rejects the credentials. */
  signIn(username: string, password: string): Promise<void>
  /** Ends the session on the controller as well. */
  signOut(): void
  /** The current token; undefined once it has expired. */
  token: () => StoredSession | undefined
}

const signOutListeners = new Set<() => void>()

/** For data stored outside of the query client, which the next user must not see. */
export const onSignOut = (listener: () => void): void => void signOutListeners.add(listener)

const SessionContext = createContext<Session | undefined>(undefined)

export function SessionProvider({ children }: { children: ReactNode }) {
  const [username, setUsername] = useState(() => readStoredSession()?.username)
  const [signIns, setSignIns] = useState(0)
  const manc = useMemo(() => {
    const stored = readStoredSession()
    return new Manc({
      url: location.origin,
      retryForMs: 8000,
      ...(stored && { token: stored }),
      onToken: (token) => {
        const name = pending.username || readStoredSession()?.username
        if (name) storeSession({ ...token, username: name, issuedAt: Date.now() })
      },
    })
  }, [])
  // A rejected token is not sent again with every request.
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
      signIns,
      async signIn(name, password) {
        pending.username = name
        try {
          await manc.logIn({ username: name, password, keepPassword: false })
        } catch (error) {
          manc.logOut()
          throw error
        }
        setUsername(name)
        setSignIns((before) => before + 1)
      },
      signOut() {
        // Also the view of the map.
        sessionStorage.clear()
        // If the controller does not respond, the token expires by itself.
        manc.endSession().catch(() => {})
        queryClient.clear()
        for (const listener of signOutListeners) listener()
        setUsername(undefined)
      },
      token: readStoredSession,
    }),
    [manc, username, signIns],
  )
  return <SessionContext value={session}>{children}</SessionContext>
}

/** The user that the next token belongs to. */
const pending = { username: '' }

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('SessionProvider is missing')
  return session
}

export const useManc = (): Manc => useSession().manc

const storeSession = (session: StoredSession): void =>
  sessionStorage.setItem(storageKey, JSON.stringify(session))

function readStoredSession(): StoredSession | undefined {
  try {
    const stored = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null') as StoredSession | null
    return stored && stored.expiresAt > Date.now() ? stored : undefined
  } catch {
    return undefined
  }
}
