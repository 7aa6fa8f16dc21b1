import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import {
  IconBroadcast,
  IconLogout,
  IconMoon,
  IconPlus,
  IconSend,
  IconShieldCog,
  IconSun,
  type TablerIcon,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useMe } from './me.ts'
import { useSession } from './session.tsx'

interface Action {
  label: string
  icon: TablerIcon
  act: () => void
}

/** What the palette does beside leading somewhere: what they may not do is not among it. */
export function useActions(): Action[] {
  const navigate = useNavigate()
  const session = useSession()
  const me = useMe()
  const { setColorScheme } = useMantineColorScheme()
  const other = useComputedColorScheme('light') === 'dark' ? 'light' : 'dark'
  return [
    { label: 'Emulate a network', icon: IconBroadcast, act: () => void navigate({ to: '/emulate' }) },
    ...(me.isOperator
      ? [
          {
            label: 'Send bulk command',
            icon: IconSend,
            act: () => void navigate({ to: '/jobs', hash: 'send' }),
          },
        ]
      : []),
    ...(me.isAdmin
      ? [
          {
            label: 'Register access point',
            icon: IconPlus,
            act: () => void navigate({ to: '/administration/agents' }),
          },
          { label: 'Add user', icon: IconPlus, act: () => void navigate({ to: '/administration/users' }) },
          {
            label: 'Open audit log',
            icon: IconShieldCog,
            act: () => void navigate({ to: '/administration/audit' }),
          },
        ]
      : []),
    {
      label: other === 'dark' ? 'Dark mode' : 'Light mode',
      icon: other === 'dark' ? IconMoon : IconSun,
      act: () => setColorScheme(other),
    },
    {
      label: 'Sign out',
      icon: IconLogout,
      act: () => {
        session.signOut()
        void navigate({ to: '/sign-in' })
      },
    },
  ]
}
