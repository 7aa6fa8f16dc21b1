import {
  IconBroadcast,
  IconChartLine,
  IconCode,
  IconListCheck,
  IconMap2,
  IconShieldCog,
} from '@tabler/icons-react'

/** What the navigation and the palette offer. */
export const pages = [
  { to: '/', label: 'Network', icon: IconMap2, adminsOnly: false },
  { to: '/compare', label: 'Compare', icon: IconChartLine, adminsOnly: false },
  { to: '/emulate', label: 'Emulate', icon: IconBroadcast, adminsOnly: false },
  { to: '/jobs', label: 'Jobs and commands', icon: IconListCheck, adminsOnly: false },
  { to: '/administration', label: 'Administration', icon: IconShieldCog, adminsOnly: true },
  { to: '/developers', label: 'Developers', icon: IconCode, adminsOnly: false },
] as const
