import { Box, Stack, Title } from '@mantine/core'
import { Outlet } from '@tanstack/react-router'
import { useCurrentUser } from '../app/current-user.ts'
import { SectionTabs } from '../ui/section-tabs.tsx'

const sections = [
  { to: '/alarms', label: 'Alarms', isExact: true },
  { to: '/alarms/rules', label: 'Rules' },
  { to: '/alarms/silences', label: 'Silences' },
] as const
const ofOperators = [{ to: '/alarms/notifications', label: 'Notifications' }] as const

/** Alarms of access points, and what raises and reports them. */
export function AlarmsLayout() {
  const me = useCurrentUser()
  return (
    <Box p="lg" maw={1280}>
      <Stack gap="lg">
        <Title order={1} size="h4">
          Alarms
        </Title>
        <SectionTabs label="Alarm sections" sections={[...sections, ...(me.isOperator ? ofOperators : [])]} />
        <Outlet />
      </Stack>
    </Box>
  )
}
