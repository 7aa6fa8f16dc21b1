import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import {
  IconBroadcast,
  IconKey,
  IconLogout,
  IconMoon,
  IconPlus,
  IconSend,
  IconShieldCog,
  IconSun,
  type TablerIcon,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useCurrentUser } from './current-user.ts'
import { addUserHash, registerHash } from './dialog-hash.ts'
import { useSession } from './session.tsx'

interface Action {
  label: string
  icon: TablerIcon
  run: () => void
}

/** The actions in the command palette that the user has permission for. */
export function useActions(): Action[] {
  const navigate = useNavigate()
  const session = useSession()
  const me = useCurrentUser()
  const { setColorScheme } = useMantineColorScheme()
  const other = useComputedColorScheme('light') === 'dark' ? 'light' : 'dark'
  return [
    { label: 'Emulate a network', icon: IconBroadcast, run: () => void navigate({ to: '/emulate' }) },
    ...(me.isOperator
      ? [
          {
            label: 'Send bulk command',
            icon: IconSend,
            run: () => void navigate({ to: '/jobs', hash: 'send' }),
          },
        ]
      : []),
    ...(me.isAdmin
      ? [
          {
            label: 'Register access point',
            icon: IconPlus,
            run: () => void navigate({ to: '/access-points', hash: registerHash }),
          },
          {
            label: 'Add user',
            icon: IconPlus,
            run: () => void navigate({ to: '/administration/users', hash: addUserHash }),
          },
          {
            label: 'Open audit log',
            icon: IconShieldCog,
            run: () => void navigate({ to: '/administration/audit' }),
          },
        ]
      : []),
    {
      label: other === 'dark' ? 'Dark mode' : 'Light mode',
      icon: other === 'dark' ? IconMoon : IconSun,
      run: () => setColorScheme(other),
    },
    { label: 'Change password', icon: IconKey, run: () => void navigate({ to: '/account' }) },
    {
      label: 'Sign out',
      icon: IconLogout,
      run: () => {
        session.signOut()
        void navigate({ to: '/sign-in' })
      },
    },
  ]
}
