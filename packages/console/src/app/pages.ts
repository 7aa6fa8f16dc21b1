import {
  IconAccessPoint,
  IconAlertTriangle,
  IconBroadcast,
  IconChartLine,
  IconCode,
  IconDevices,
  IconFlask,
  IconListCheck,
  IconListDetails,
  IconMap2,
  IconRoute,
  IconShieldCog,
} from '@tabler/icons-react'

/** Titles of pages that are not in the navigation. */
const otherTitles: Record<string, string> = {
  '/account': 'Account',
  '/sign-in': 'Sign in',
  '/sign-up': 'Sign up',
  '/confirm': 'Confirm your account',
  '/recover': 'Reset password',
  '/reset': 'Set new password',
}

/** Pages in the navigation and in the command palette. */
export const pages = [
  { to: '/', label: 'Network', icon: IconMap2, needs: 'user' },
  { to: '/access-points', label: 'Access points', icon: IconAccessPoint, needs: 'user' },
  { to: '/clients', label: 'Clients', icon: IconDevices, needs: 'user' },
  { to: '/alarms', label: 'Alarms', icon: IconAlertTriangle, needs: 'user' },
  { to: '/events', label: 'Events', icon: IconListDetails, needs: 'user' },
  { to: '/decisions', label: 'Decisions', icon: IconRoute, needs: 'operator' },
  { to: '/compare', label: 'Compare', icon: IconChartLine, needs: 'user' },
  { to: '/experiments', label: 'Experiments', icon: IconFlask, needs: 'operator' },
  { to: '/emulate', label: 'Emulate', icon: IconBroadcast, needs: 'user' },
  { to: '/jobs', label: 'Jobs and commands', icon: IconListCheck, needs: 'user' },
  { to: '/administration', label: 'Administration', icon: IconShieldCog, needs: 'admin' },
  { to: '/developers', label: 'Developers', icon: IconCode, needs: 'user' },
] as const

/** Whether the user may open the page. The controller enforces it. */
export const isFor = (
  { needs }: { needs: 'user' | 'operator' | 'admin' },
  me: { isOperator: boolean; isAdmin: boolean },
): boolean => needs === 'user' || (needs === 'operator' ? me.isOperator : me.isAdmin)

/** The document title. `name` is that of the access point or client that the page is about. */
export function titleOf(pathname: string, name: string | undefined): string {
  const page = pages.find(({ to }) => to === `/${pathname.split('/')[1]}`)
  return `${name ?? page?.label ?? otherTitles[pathname] ?? 'Page not found'} · MANC`
}
