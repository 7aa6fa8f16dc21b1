import {
  IconAccessPoint,
  IconAlertTriangle,
  IconBroadcast,
  IconChartLine,
  IconCode,
  IconListCheck,
  IconListDetails,
  IconMap2,
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
  { to: '/', label: 'Network', icon: IconMap2, adminsOnly: false },
  { to: '/access-points', label: 'Access points', icon: IconAccessPoint, adminsOnly: false },
  { to: '/alarms', label: 'Alarms', icon: IconAlertTriangle, adminsOnly: false },
  { to: '/events', label: 'Events', icon: IconListDetails, adminsOnly: false },
  { to: '/compare', label: 'Compare', icon: IconChartLine, adminsOnly: false },
  { to: '/emulate', label: 'Emulate', icon: IconBroadcast, adminsOnly: false },
  { to: '/jobs', label: 'Jobs and commands', icon: IconListCheck, adminsOnly: false },
  { to: '/administration', label: 'Administration', icon: IconShieldCog, adminsOnly: true },
  { to: '/developers', label: 'Developers', icon: IconCode, adminsOnly: false },
] as const

/** The document title. */
export function titleOf(pathname: string, apId: string | undefined): string {
  const page = pages.find(({ to }) => to === `/${pathname.split('/')[1]}`)
  return `${apId ?? page?.label ?? otherTitles[pathname] ?? 'Page not found'} · MANC`
}
