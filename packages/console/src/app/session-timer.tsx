import { Affix, Alert, Button, Group, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { formatAge } from '../format/time.ts'
import { reportSessionEnd } from './query-client.ts'
import { useSession } from './session.tsx'

const checkIntervalMs = 1000
const warnBeforeMs = 120_000
const activity = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const

/**
 * Renews the session while the user is active, so that it ends after a time without activity. Warns before it ends. The
 * requests that the page sends by itself are not activity.
 */
export function SessionTimer() {
  const session = useSession()
  const [endsInMs, setEndsInMs] = useState<number>()
  const isActive = useRef(true)
  const isRenewing = useRef(false)
  const renew = async () => {
    if (isRenewing.current) return
    isRenewing.current = true
    isActive.current = false
    try {
      await session.manc.renewSession()
      setEndsInMs(undefined)
    } catch (error) {
      reportSessionEnd(error)
    } finally {
      isRenewing.current = false
    }
  }
  const latestRenew = useRef(renew)
  latestRenew.current = renew
  useEffect(() => {
    const onActivity = () => {
      isActive.current = true
    }
    for (const type of activity) addEventListener(type, onActivity, { passive: true })
    const timer = setInterval(() => {
      const token = session.token()
      if (!token) return setEndsInMs(undefined)
      const leftMs = token.expiresAt - Date.now()
      const lifeMs = token.expiresAt - token.issuedAt
      setEndsInMs(leftMs < Math.min(warnBeforeMs, lifeMs / 4) ? leftMs : undefined)
      if (isActive.current && leftMs < lifeMs / 2) void latestRenew.current()
    }, checkIntervalMs)
    return () => {
      for (const type of activity) removeEventListener(type, onActivity)
      clearInterval(timer)
    }
  }, [session])
  if (endsInMs === undefined) return null
  return (
    <Affix position={{ bottom: 20, left: 20 }}>
      <Alert color="yellow" role="status" title="Session about to end">
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm">Your session ends in {formatAge(endsInMs)}.</Text>
          <Button size="xs" onClick={() => void renew()}>
            Stay signed in
          </Button>
        </Group>
      </Alert>
    </Affix>
  )
}
