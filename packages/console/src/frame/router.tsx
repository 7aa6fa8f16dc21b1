import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  useLocation,
  useParams,
} from '@tanstack/react-router'
import { filterIn, type NetworkSearch, searchOf } from '../agents/filter-search.ts'
import { fromSearch, toSearch } from '../telemetry/compare-search.ts'
import { isPlaceOfOurs, SignIn } from '../users/sign-in.tsx'
import { Layout } from './layout.tsx'
import { titleOf } from './pages.ts'
import type { useSession } from './session.tsx'
import { Failure, NothingHere } from './states.tsx'

function Root() {
  const { pathname } = useLocation()
  const { apId } = useParams({ strict: false })
  return (
    <>
      <title>{titleOf(pathname, apId)}</title>
      <Outlet />
    </>
  )
}

const root = createRootRouteWithContext<{ session: ReturnType<typeof useSession> }>()({
  component: Root,
  notFoundComponent: NothingHere,
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: SignIn,
  validateSearch: ({ to }: Record<string, unknown>): { to?: string } => (isPlaceOfOurs(to) ? { to } : {}),
})
const signUp = createRoute({
  getParentRoute: () => root,
  path: '/sign-up',
  component: lazyRouteComponent(() => import('../users/sign-up.tsx'), 'SignUp'),
})
const recover = createRoute({
  getParentRoute: () => root,
  path: '/recover',
  component: lazyRouteComponent(() => import('../users/recover.tsx'), 'Recover'),
})
const reset = createRoute({
  getParentRoute: () => root,
  path: '/reset',
  component: lazyRouteComponent(() => import('../users/reset.tsx'), 'Reset'),
})

const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: Layout,
  beforeLoad: ({ context, location }) => {
    if (context.session.username === undefined)
      throw redirect({ to: '/sign-in', search: { to: location.href } })
  },
})
const network = createRoute({
  getParentRoute: () => inside,
  path: '/',
  validateSearch: (search: Record<string, unknown>): NetworkSearch => searchOf(filterIn(search)),
  component: lazyRouteComponent(() => import('../agents/network.tsx'), 'Network'),
})
const accessPoint = createRoute({
  getParentRoute: () => inside,
  path: '/access-points/$apId',
  component: lazyRouteComponent(() => import('../agents/access-point.tsx'), 'AccessPoint'),
})
const compare = createRoute({
  getParentRoute: () => inside,
  path: '/compare',
  validateSearch: (search: Record<string, unknown>) => toSearch(fromSearch(search)),
  component: lazyRouteComponent(() => import('../telemetry/compare.tsx'), 'Compare'),
})
const emulate = createRoute({
  getParentRoute: () => inside,
  path: '/emulate',
  component: lazyRouteComponent(() => import('../emulator/emulate.tsx'), 'Emulate'),
})
const jobs = createRoute({
  getParentRoute: () => inside,
  path: '/jobs',
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
  component: lazyRouteComponent(() => import('../users/users.tsx'), 'Users'),
})
const agentsToManage = createRoute({
  getParentRoute: () => administration,
  path: '/agents',
  component: lazyRouteComponent(() => import('../administration/agents.tsx'), 'AgentsToManage'),
})
const apps = createRoute({
  getParentRoute: () => administration,
  path: '/apps',
  component: lazyRouteComponent(() => import('../apps/apps.tsx'), 'Apps'),
})
const enrolment = createRoute({
  getParentRoute: () => administration,
  path: '/enrolment',
  component: lazyRouteComponent(() => import('../administration/enrolment.tsx'), 'Enrolment'),
})
const audit = createRoute({
  getParentRoute: () => administration,
  path: '/audit',
  component: lazyRouteComponent(() => import('../audit/audit.tsx'), 'Audit'),
})
const administrationParts = administration.addChildren([
  administrationHome,
  users,
  agentsToManage,
  apps,
  enrolment,
  audit,
])
const developers = createRoute({
  getParentRoute: () => inside,
  path: '/developers',
  component: lazyRouteComponent(() => import('../developers/developers.tsx'), 'Developers'),
})

const pages = [network, accessPoint, compare, emulate, jobs, administrationParts, developers]

export const router = createRouter({
  routeTree: root.addChildren([signIn, signUp, recover, reset, inside.addChildren(pages)]),
  context: { session: undefined as never },
  defaultErrorComponent: ({ error, reset: retry }) => <Failure error={error} onRetry={retry} />,
  defaultPreload: 'intent',
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
