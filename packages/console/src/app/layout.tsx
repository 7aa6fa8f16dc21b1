import {
  ActionIcon,
  AppShell,
  Box,
  Burger,
  Button,
  Group,
  Kbd,
  Menu,
  Stack,
  Text,
  Tooltip,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { spotlight } from '@mantine/spotlight'
import { IconLogout, IconMoon, IconSearch, IconSettings, IconSun, IconUser } from '@tabler/icons-react'
import { Link, Outlet, useRouter, useRouterState } from '@tanstack/react-router'
import { Suspense, useEffect, useRef } from 'react'
import { OpenAlarms } from '../alarms/open-alarms.tsx'
import { WaitingProposals } from '../decisions/waiting-proposals.tsx'
import { Loading } from '../ui/states.tsx'
import { CommandPalette } from './command-palette.tsx'
import { ConnectionStatus } from './connection-status.tsx'
import { useCurrentUser } from './current-user.ts'
import { Logo } from './logo.tsx'
import { isFor, pages } from './pages.ts'
import { useSession } from './session.tsx'
import { SessionEndedDialog } from './session-ended-dialog.tsx'
import { SessionTimer } from './session-timer.tsx'

export function Layout() {
  const [isOpen, { toggle, close }] = useDisclosure()
  const me = useCurrentUser()
  const content = usePageFocus()
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={0}
    >
      <AppShell.Header px="lg">
        <a className="skip" href="#content">
          Skip to content
        </a>
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Navigation" />
            <Link to="/" style={{ textDecoration: 'none', color: 'inherit' }}>
              <Logo />
            </Link>
          </Group>
          <Group gap="sm" wrap="nowrap">
            <ConnectionStatus />
            <Button
              variant="default"
              size="xs"
              leftSection={<IconSearch size={14} />}
              rightSection={<Kbd size="xs">Ctrl K</Kbd>}
              onClick={spotlight.open}
              visibleFrom="xs"
            >
              Search
            </Button>
            <ActionIcon variant="default" hiddenFrom="xs" onClick={spotlight.open} aria-label="Search">
              <IconSearch size={16} />
            </ActionIcon>
            <SchemeButton />
            <AccountMenu />
          </Group>
        </Group>
      </AppShell.Header>
      {/* Hidden from the keyboard as well. */}
      <AppShell.Navbar p="sm" {...(!isOpen && { visibleFrom: 'sm' })}>
        <Stack gap={4} component="nav" aria-label="Pages">
          {pages
            .filter((page) => isFor(page, me))
            .map(({ to, label, icon: Icon }) => (
              <Link
                key={to}
                to={to}
                className="navlink"
                activeOptions={{ exact: to === '/' }}
                onClick={close}
              >
                <Icon size={18} stroke={1.6} aria-hidden />
                {label}
                {to === '/alarms' && <OpenAlarms />}
                {to === '/decisions' && <WaitingProposals />}
              </Link>
            ))}
        </Stack>
      </AppShell.Navbar>
      <AppShell.Main id="content" ref={content} tabIndex={-1} style={{ outline: 'none' }}>
        <Suspense fallback={<Loading what="page" />}>
          <Box>
            <Outlet />
          </Box>
        </Suspense>
      </AppShell.Main>
      <CommandPalette />
      <SessionTimer />
      <SessionEndedDialog />
    </AppShell>
  )
}

/** The focused element disappears with the previous page: keyboard navigation continues from the content. */
function usePageFocus() {
  const content = useRef<HTMLElement>(null)
  const pathname = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname })
  const previous = useRef(pathname)
  useEffect(() => {
    const isNewPage = previous.current !== undefined && previous.current !== pathname
    previous.current = pathname
    if (isNewPage && document.activeElement === document.body) content.current?.focus({ preventScroll: true })
  }, [pathname])
  return content
}

function SchemeButton() {
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light')
  const other = scheme === 'dark' ? 'light' : 'dark'
  const label = other === 'dark' ? 'Dark mode' : 'Light mode'
  return (
    <Tooltip label={label}>
      <ActionIcon variant="default" onClick={() => setColorScheme(other)} aria-label={label}>
        {scheme === 'dark' ? <IconSun size={16} /> : <IconMoon size={16} />}
      </ActionIcon>
    </Tooltip>
  )
}

function AccountMenu() {
  const session = useSession()
  const router = useRouter()
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" aria-label="Account">
          <IconUser size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="xs" truncate maw={220}>
            {session.username}
          </Text>
        </Menu.Label>
        <Menu.Item component={Link} to="/account" leftSection={<IconSettings size={14} />}>
          Account and password
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLogout size={14} />}
          onClick={() => {
            session.signOut()
            void router.navigate({ to: '/sign-in' })
          }}
        >
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
