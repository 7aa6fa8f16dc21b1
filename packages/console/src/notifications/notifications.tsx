import { Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useCurrentUser } from '../app/current-user.ts'
import { Empty, Failure, Loading } from '../ui/states.tsx'
import { Deliveries } from './deliveries.tsx'
import { Receivers } from './receivers.tsx'
import { Routes } from './routes.tsx'

/** Who is notified of which alarms, for administrators. Whether the messages arrived, also for operators. */
export function Notifications() {
  const me = useCurrentUser()
  if (me.isPending) return <Loading what="your permissions" />
  if (me.error) return <Failure error={me.error} onRetry={() => void me.refetch()} />
  if (!me.isOperator)
    return (
      <Empty title="Operators and administrators only">
        Ask an administrator to grant you the operator role.
      </Empty>
    )
  return (
    <Stack gap="xl">
      {me.isAdmin && (
        <>
          <Section title="Receivers" about="Where messages are sent: e-mail addresses and webhooks.">
            <Receivers />
          </Section>
          <Section title="Routes" about="Which alarms are sent to which receiver.">
            <Routes />
          </Section>
        </>
      )}
      <Section title="Deliveries" about="Messages of the last days, newest first.">
        <Deliveries />
      </Section>
    </Stack>
  )
}

function Section({ title, about, children }: { title: string; about: string; children: ReactNode }) {
  return (
    <Stack gap="sm" component="section" aria-label={title}>
      <div>
        <Title order={2} size="h5">
          {title}
        </Title>
        <Text size="sm" c="dimmed">
          {about}
        </Text>
      </div>
      {children}
    </Stack>
  )
}
