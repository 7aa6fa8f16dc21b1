import { Box, Stack, Text, Title } from '@mantine/core'
import { Outlet } from '@tanstack/react-router'
import { useCurrentUser } from '../app/current-user.ts'
import { SectionTabs } from '../ui/section-tabs.tsx'
import { Empty, Failure, Loading } from '../ui/states.tsx'

const sections = [
  { to: '/administration/users', label: 'Users' },
  { to: '/administration/rollouts', label: 'Rollouts' },
  { to: '/administration/apps', label: 'Applications' },
  { to: '/administration/enrolment', label: 'Enrolment' },
  { to: '/administration/audit', label: 'Audit log' },
] as const

/** Users, rollouts, applications, enrolment tokens and the audit log; for administrators only. */
export function Administration() {
  const me = useCurrentUser()
  if (me.isPending) return <Loading what="your permissions" />
  if (me.error) return <Failure error={me.error} onRetry={() => void me.refetch()} />
  if (!me.isAdmin)
    return (
      <Empty title="Administrators only">Ask an administrator to grant you the administrator role.</Empty>
    )
  return (
    <Stack gap="lg" p="lg" maw={1040} mx="auto">
      <div>
        <Title order={1} size="h4">
          Administration
        </Title>
        <Text c="dimmed" size="sm">
          Users, rollouts, applications, enrolment tokens and the audit log.
        </Text>
      </div>
      <SectionTabs label="Administration sections" sections={sections} />
      <Box>
        <Outlet />
      </Box>
    </Stack>
  )
}
