import { Alert, Button, Center, Group, Loader, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useEffect, useRef, useState } from 'react'
import { formatAge } from '../format/time.ts'
import { inWords } from './queries.ts'

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
  return (
    <Alert color="red" title="Request failed" m="md">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{inWords(error)}</Text>
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

/** Nothing there, and how something would get there. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Center mih={160} p="lg">
      <Stack gap="sm" align="center" maw={420}>
        <Text fw={600}>{title}</Text>
        <Text c="dimmed" size="sm" ta="center" component="div">
          {children}
        </Text>
      </Stack>
    </Center>
  )
}

export function NothingHere() {
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

/** How old what is shown is. Grey and in words once it is late. */
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

/** The time, each second. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return now
}

/**
 * When something newer came last, by our own clock: the clock that dates it may differ. Of what was there at first we know
 * no more than its date.
 */
export function useNewsAt(newestMs: number | undefined): number | undefined {
  const news = useRef<{ newestMs: number; atMs: number }>(undefined)
  if (newestMs !== undefined && newestMs !== news.current?.newestMs)
    news.current = { newestMs, atMs: news.current ? Date.now() : Math.min(newestMs, Date.now()) }
  return news.current?.atMs
}
