import '../access-points/access-points.css'
import { Unreachable } from '@manc/sdk'
import { Anchor, Button, Center, Group, Stack, Text, Title } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Link, useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { type ReactNode, useMemo, useState } from 'react'
import { HiddenEmulated } from '../fleet/hidden-emulated.tsx'
import { formatCount, formatNumber } from '../format/number.ts'
import { DensityButton } from '../ui/density-button.tsx'
import { Age, Empty, Failure, Loading } from '../ui/states.tsx'
import { ClientFilters, ClientSort } from './client-filters.tsx'
import { ClientTable } from './client-table.tsx'
import {
  type ClientsTable,
  clientsQuery,
  clientsSearch,
  hasFilters,
  parseClients,
  withoutFilters,
} from './clients-search.ts'
import { useClients } from './use-clients.ts'

const path = '/clients'
const firstLimit = 200
const moreClients = 1000
/** All shown clients are read again every few seconds. */
const maxClients = 5000

/** Which clients are attached where. */
export function Clients() {
  const { table, change } = useClientsTable()
  const query = clientsQuery(table)
  const key = JSON.stringify(query)
  const [limit, setLimit] = useLimit(key)
  const clients = useClients(limit, query)
  const isPhone = useMediaQuery('(max-width: 48em)') ?? false
  const navigate = useNavigate()
  const shown = clients.data?.slice(0, limit) ?? []
  const hasMore = (clients.data?.length ?? 0) > limit
  return (
    <div className="ap-page">
      <Stack gap="sm" px="lg" py="md">
        <Group justify="space-between" gap="sm">
          <Group gap="md" align="baseline">
            <Title order={1} size="h4">
              Clients
            </Title>
            <Text size="sm" c="dimmed" role="status" className="figures">
              {clients.data && `${hasMore ? 'The first ' : ''}${formatCount(shown.length, 'client')}`}
            </Text>
            <Age at={clients.dataUpdatedAt} lateAfterS={15 * Math.ceil(limit / 500)} />
          </Group>
          {isPhone ? (
            <ClientSort table={table} change={change} />
          ) : (
            <DensityButton density={table.density} onChange={(density) => change({ density })} />
          )}
        </Group>
        <ClientFilters table={table} change={change} />
      </Stack>
      <Content table={table} change={change} clients={clients} isEmpty={shown.length === 0}>
        <ClientTable
          clients={shown}
          query={key}
          isBusy={clients.isPlaceholderData}
          hasMore={hasMore}
          sort={table.sort}
          onSort={(sort) => change({ sort })}
          density={table.density}
          isPhone={isPhone}
          onOpen={(clientId) => void navigate({ to: '/clients/$clientId', params: { clientId } })}
        >
          {hasMore && (
            <More
              limit={limit}
              isReading={clients.isPlaceholderData}
              onMore={() => setLimit(Math.min(maxClients, limit + moreClients))}
            />
          )}
        </ClientTable>
      </Content>
    </div>
  )
}

/** The table in the address. */
function useClientsTable() {
  const { navigate, history } = useRouter()
  const search = useSearch({ from: '/inside/clients' })
  const table = useMemo(() => parseClients({ ...search }), [search])
  const change = (changes: Partial<ClientsTable>) => {
    // A debounced change must not navigate back after the user has left the page.
    if (history.location.pathname !== path) return
    void navigate({
      to: path,
      search: (before) => clientsSearch({ ...parseClients({ ...before }), ...changes }),
      replace: true,
    })
  }
  return { table, change }
}

/** How many clients are read. Another sort or filter begins with the first ones. */
function useLimit(key: string): [number, (limit: number) => void] {
  const [state, setState] = useState({ key, limit: firstLimit })
  return [state.key === key ? state.limit : firstLimit, (limit) => setState({ key, limit })]
}

interface ContentProps {
  table: ClientsTable
  change: (changes: Partial<ClientsTable>) => void
  clients: ReturnType<typeof useClients>
  isEmpty: boolean
  children: ReactNode
}

/** The table, or why there is none. */
function Content({ table, change, clients, isEmpty, children }: ContentProps) {
  const { data, error, isPlaceholderData, refetch } = clients
  const failure = error && <Failure error={error} onRetry={() => void refetch()} />
  if (!data || (isEmpty && isPlaceholderData)) return failure ?? <Loading what="clients" />
  // While the controller does not answer, the header says so, and what was read stays.
  if (!isEmpty)
    return (
      <>
        {!(error instanceof Unreachable) && failure}
        {children}
      </>
    )
  if (hasFilters(table))
    return (
      <Empty title="No matches">
        No client matches all filters.
        <Button
          size="xs"
          variant="default"
          mt="sm"
          display="block"
          mx="auto"
          onClick={() => change(withoutFilters)}
        >
          Clear filters
        </Button>
      </Empty>
    )
  return (
    <Empty title="No clients">
      Clients appear here when agents report them.{' '}
      <Anchor inherit underline="always" component={Link} to="/emulate">
        Emulate a network
      </Anchor>{' '}
      to see some, or read{' '}
      <Anchor
        inherit
        underline="always"
        renderRoot={(props) => <Link to="/developers" search={{ guide: 'clients' }} {...props} />}
      >
        how agents report clients
      </Anchor>
      .
      <HiddenEmulated
        emulated={table.emulated}
        state="hidden"
        action="Show"
        onInclude={() => change({ emulated: 'all' })}
      />
    </Empty>
  )
}

interface MoreProps {
  limit: number
  isReading: boolean
  onMore: () => void
}

/** Below the last row, if there are further clients. */
function More({ limit, isReading, onMore }: MoreProps) {
  return (
    <Center p="md">
      {limit < maxClients ? (
        <Button variant="default" size="xs" loading={isReading} onClick={onMore}>
          Show more clients
        </Button>
      ) : (
        <Text size="xs" c="dimmed" className="figures">
          No more than {formatNumber(maxClients)} clients are shown. Use the filters to find others.
        </Text>
      )}
    </Center>
  )
}
