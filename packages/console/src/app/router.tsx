import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  retainSearchParams,
  useLocation,
  useParams,
} from '@tanstack/react-router'
import { parseAccessPointSearch } from '../access-point/access-point-search.ts'
import { parseTable, type TableSearch, tableSearch } from '../access-points/table-search.ts'
import { parseAuditSearch } from '../administration/audit-search.ts'
import { type AlarmsSearch, alarmsSearch, parseAlarmsFilter } from '../alarms/alarms-search.ts'
import { isLocalPath, SignIn } from '../auth/sign-in.tsx'
import {
  type ClientsSearch,
  clientsSearch,
  parseClientSearch,
  parseClients,
} from '../clients/clients-search.ts'
import { fromSearch, toSearch } from '../compare/compare-search.ts'
import { parseDecisionsSearch } from '../decisions/decisions-search.ts'
import { parseEventsSearch } from '../events/events-search.ts'
import { parseExperimentsSearch } from '../experiments/experiments-search.ts'
import { parseJobsSearch } from '../jobs/jobs-search.ts'
import { filterSearch, type NetworkSearch, parseFilter } from '../network/filter-search.ts'
import { parseDeliveriesSearch } from '../notifications/deliveries-search.ts'
import { parseRangeSearch, type RangeSearch, rangeKeys } from '../range/time-range.ts'
import { parseRolloutsSearch } from '../rollouts/rollouts-search.ts'
import { Failure, NotFoundPage } from '../ui/states.tsx'
import { Layout } from './layout.tsx'
import { titleOf } from './pages.ts'
import type { useSession } from './session.tsx'

function Root() {
  const { pathname } = useLocation()
  const { apId, clientId } = useParams({ strict: false })
  return (
    <>
      <title>{titleOf(pathname, apId ?? clientId)}</title>
      <Outlet />
    </>
  )
}

const root = createRootRouteWithContext<{ session: ReturnType<typeof useSession> }>()({
  component: Root,
  notFoundComponent: NotFoundPage,
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: SignIn,
  validateSearch: ({ to }: Record<string, unknown>): { to?: string } => (isLocalPath(to) ? { to } : {}),
})
const signUp = createRoute({
  getParentRoute: () => root,
  path: '/sign-up',
  component: lazyRouteComponent(() => import('../auth/sign-up.tsx'), 'SignUp'),
})
const recover = createRoute({
  getParentRoute: () => root,
  path: '/recover',
  component: lazyRouteComponent(() => import('../auth/recover-password.tsx'), 'RecoverPassword'),
})
const confirm = createRoute({
  getParentRoute: () => root,
  path: '/confirm',
  component: lazyRouteComponent(() => import('../auth/confirm-sign-up.tsx'), 'ConfirmSignUp'),
})
const reset = createRoute({
  getParentRoute: () => root,
  path: '/reset',
  component: lazyRouteComponent(() => import('../auth/reset-password.tsx'), 'ResetPassword'),
})

const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: Layout,
  // All pages have the same time range: links keep it.
  validateSearch: (search: Record<string, unknown>): RangeSearch => parseRangeSearch(search),
  search: { middlewares: [retainSearchParams([...rangeKeys])] },
  beforeLoad: ({ context, location }) => {
    if (context.session.username === undefined)
      throw redirect({ to: '/sign-in', search: { to: location.href } })
  },
})
const network = createRoute({
  getParentRoute: () => inside,
  path: '/',
  validateSearch: (search: Record<string, unknown>): NetworkSearch => filterSearch(parseFilter(search)),
  component: lazyRouteComponent(() => import('../network/network.tsx'), 'Network'),
})
const accessPoints = createRoute({
  getParentRoute: () => inside,
  path: '/access-points',
  validateSearch: (search: Record<string, unknown>): TableSearch => tableSearch(parseTable(search)),
  component: lazyRouteComponent(() => import('../access-points/access-points.tsx'), 'AccessPoints'),
})
const accessPoint = createRoute({
  getParentRoute: () => inside,
  path: '/access-points/$apId',
  validateSearch: parseAccessPointSearch,
  component: lazyRouteComponent(() => import('../access-point/access-point.tsx'), 'AccessPoint'),
})
const clients = createRoute({
  getParentRoute: () => inside,
  path: '/clients',
  validateSearch: (search: Record<string, unknown>): ClientsSearch => clientsSearch(parseClients(search)),
  component: lazyRouteComponent(() => import('../clients/clients.tsx'), 'Clients'),
})
const client = createRoute({
  getParentRoute: () => inside,
  path: '/clients/$clientId',
  validateSearch: parseClientSearch,
  component: lazyRouteComponent(() => import('../clients/client-page.tsx'), 'ClientPage'),
})
const alarms = createRoute({
  getParentRoute: () => inside,
  path: '/alarms',
  component: lazyRouteComponent(() => import('../alarms/alarms-layout.tsx'), 'AlarmsLayout'),
})
const alarmList = createRoute({
  getParentRoute: () => alarms,
  path: '/',
  validateSearch: (search: Record<string, unknown>): AlarmsSearch => alarmsSearch(parseAlarmsFilter(search)),
  component: lazyRouteComponent(() => import('../alarms/alarms.tsx'), 'Alarms'),
})
const alarmRules = createRoute({
  getParentRoute: () => alarms,
  path: '/rules',
  component: lazyRouteComponent(() => import('../alarm-rules/alarm-rules.tsx'), 'AlarmRules'),
})
const silences = createRoute({
  getParentRoute: () => alarms,
  path: '/silences',
  validateSearch: ({ state }: Record<string, unknown>): { state?: 'ended' } =>
    state === 'ended' ? { state } : {},
  component: lazyRouteComponent(() => import('../silences/silences.tsx'), 'Silences'),
})
const notifications = createRoute({
  getParentRoute: () => alarms,
  path: '/notifications',
  validateSearch: parseDeliveriesSearch,
  component: lazyRouteComponent(() => import('../notifications/notifications.tsx'), 'Notifications'),
})
const alarm = createRoute({
  getParentRoute: () => inside,
  path: '/alarms/$alarmId',
  component: lazyRouteComponent(() => import('../alarms/alarm-page.tsx'), 'AlarmPage'),
})
const alarmSections = alarms.addChildren([alarmList, alarmRules, silences, notifications])
const events = createRoute({
  getParentRoute: () => inside,
  path: '/events',
  validateSearch: parseEventsSearch,
  component: lazyRouteComponent(() => import('../events/events.tsx'), 'Events'),
})
const decisions = createRoute({
  getParentRoute: () => inside,
  path: '/decisions',
  validateSearch: parseDecisionsSearch,
  component: lazyRouteComponent(() => import('../decisions/decisions.tsx'), 'Decisions'),
})
const compare = createRoute({
  getParentRoute: () => inside,
  path: '/compare',
  validateSearch: (search: Record<string, unknown>) => toSearch(fromSearch(search)),
  component: lazyRouteComponent(() => import('../compare/compare.tsx'), 'Compare'),
})
const experiments = createRoute({
  getParentRoute: () => inside,
  path: '/experiments',
  validateSearch: parseExperimentsSearch,
  component: lazyRouteComponent(() => import('../experiments/experiments.tsx'), 'Experiments'),
})
const emulate = createRoute({
  getParentRoute: () => inside,
  path: '/emulate',
  component: lazyRouteComponent(() => import('../emulate/emulate.tsx'), 'Emulate'),
})
const jobs = createRoute({
  getParentRoute: () => inside,
  path: '/jobs',
  validateSearch: parseJobsSearch,
  component: lazyRouteComponent(() => import('../jobs/jobs.tsx'), 'Jobs'),
})
const administration = createRoute({
  getParentRoute: () => inside,
  path: '/administration',
  component: lazyRouteComponent(() => import('../administration/administration.tsx'), 'Administration'),
})
const administrationHome = createRoute({
  getParentRoute: () => administration,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/administration/users', replace: true })
  },
})
const users = createRoute({
  getParentRoute: () => administration,
  path: '/users',
  component: lazyRouteComponent(() => import('../administration/users.tsx'), 'Users'),
})
const formerAccessPoints = createRoute({
  getParentRoute: () => administration,
  path: '/agents',
  // Links of earlier releases.
  beforeLoad: () => {
    throw redirect({ to: '/access-points', replace: true })
  },
})
const rollouts = createRoute({
  getParentRoute: () => administration,
  path: '/rollouts',
  validateSearch: parseRolloutsSearch,
  component: lazyRouteComponent(() => import('../rollouts/rollouts.tsx'), 'Rollouts'),
})
const apps = createRoute({
  getParentRoute: () => administration,
  path: '/apps',
  component: lazyRouteComponent(() => import('../administration/apps.tsx'), 'Apps'),
})
const enrolment = createRoute({
  getParentRoute: () => administration,
  path: '/enrolment',
  component: lazyRouteComponent(() => import('../administration/enrolment.tsx'), 'Enrolment'),
})
const audit = createRoute({
  getParentRoute: () => administration,
  path: '/audit',
  validateSearch: parseAuditSearch,
  component: lazyRouteComponent(() => import('../administration/audit-log.tsx'), 'AuditLog'),
})
const administrationSections = administration.addChildren([
  administrationHome,
  users,
  formerAccessPoints,
  rollouts,
  apps,
  enrolment,
  audit,
])
const account = createRoute({
  getParentRoute: () => inside,
  path: '/account',
  component: lazyRouteComponent(() => import('../account/account.tsx'), 'Account'),
})
const developers = createRoute({
  getParentRoute: () => inside,
  path: '/developers',
  validateSearch: ({ guide }: Record<string, unknown>): { guide?: string } =>
    typeof guide === 'string' ? { guide } : {},
  component: lazyRouteComponent(() => import('../developers/developers.tsx'), 'Developers'),
})

const pages = [
  network,
  accessPoints,
  accessPoint,
  clients,
  client,
  alarmSections,
  alarm,
  events,
  decisions,
  compare,
  experiments,
  emulate,
  jobs,
  administrationSections,
  developers,
  account,
]

export const router = createRouter({
  routeTree: root.addChildren([signIn, signUp, confirm, recover, reset, inside.addChildren(pages)]),
  context: { session: undefined as never },
  defaultErrorComponent: ({ error, reset: retry }) => <Failure error={error} onRetry={retry} />,
  defaultPreload: 'intent',
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  interface HistoryState {
    /** Ids for the forms of bulk commands and rollouts: too many for the address. */
    accessPoints?: string[]
  }
}
