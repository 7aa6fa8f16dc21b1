import { Unreachable } from '@manc/sdk'
import { Alert, Button, Center, Group, Loader, Stack, Text, Title } from '@mantine/core'
import { IconAlertOctagon, IconInbox, IconPlugConnectedX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useEffect, useRef, useState } from 'react'
import { formatAge } from '../format/time.ts'
import { errorText } from './error-text.ts'

export function Loading({ what }: { what: string }) {
  return (
    <Center mih={120} role="status">
      <Group gap="sm">
        <Loader size="sm" />
        <Text c="dimmed">Loading {what}…</Text>
      </Group>
    </Center>
  )
}

export function Failure({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const isOffline = error instanceof Unreachable
  const Icon = isOffline ? IconPlugConnectedX : IconAlertOctagon
  return (
    <Alert
      color="red"
      title={isOffline ? 'No connection to the controller' : 'Request failed'}
      icon={<Icon size={18} aria-hidden />}
      m="md"
    >
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{errorText(error)}</Text>
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

/** An empty state and what to do about it. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Center mih={160} p="lg">
      <Stack gap="sm" align="center" maw={420}>
        <IconInbox size={28} stroke={1.4} color="var(--mantine-color-dimmed)" aria-hidden />
        <Text fw={600} ta="center">
          {title}
        </Text>
        <Text c="dimmed" size="sm" ta="center" component="div">
          {children}
        </Text>
      </Stack>
    </Center>
  )
}

export function NotFoundPage() {
  return (
    <Center mih="60vh">
      <Stack align="center">
        <Title order={2}>Page not found</Title>
        <Button component={Link} to="/" variant="default">
          Go to network
        </Button>
      </Stack>
    </Center>
  )
}

/** The age of the displayed data: `Live`, or grey and with its age once it is late. */
export function Age({ at, lateAfterS = 10 }: { at: number | undefined; lateAfterS?: number }) {
  const now = useNow()
  if (!at) return null
  const ageMs = now - at
  const isLate = ageMs > lateAfterS * 1000
  return (
    <Text size="xs" {...(isLate && { c: 'dimmed' })} component="span" className="figures">
      {isLate ? `Last update ${formatAge(ageMs)} ago` : 'Live'}
    </Text>
  )
}

/** The current time, updated every second. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return now
}

/**
 * When newer data last arrived, by the clock of the browser, since the clock that dates the data may differ. For the
 * first data only its own date is available.
 */
export function useLastUpdate(newestMs: number | undefined): number | undefined {
  const last = useRef<{ newestMs: number; atMs: number }>(undefined)
  if (newestMs !== undefined && newestMs !== last.current?.newestMs)
    last.current = { newestMs, atMs: last.current ? Date.now() : Math.min(newestMs, Date.now()) }
  return last.current?.atMs
}
