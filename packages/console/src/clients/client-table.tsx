import type { Client, ClientOrder, FleetAgent } from '@manc/sdk'
import { UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { type Density, rowHeights } from '../ui/density.ts'
import { useNow } from '../ui/states.tsx'
import { useVirtualRows } from '../ui/use-virtual-rows.ts'
import { columns } from './client-columns.tsx'
import { ClientCard, ClientRow } from './client-row.tsx'
import { useKnownAgents } from './use-known-agents.ts'

const cardHeight = 62

interface ClientTableProps {
  clients: readonly Client[]
  /** Sort and filter of these rows. */
  query: string
  isBusy: boolean
  /** There are further clients. */
  hasMore: boolean
  sort: ClientOrder
  onSort: (sort: ClientOrder) => void
  density: Density
  isPhone: boolean
  onOpen: (id: string) => void
  /** Below the last row. */
  children: ReactNode
}

const template = columns.map(({ width, isText }) => `minmax(${width}px, ${isText ? '2fr' : '1fr'})`).join(' ')
const width = columns.reduce((sum, column) => sum + column.width, 0)

/** A virtual table: only visible rows are rendered, and only the access points of these are read. */
export function ClientTable(props: ClientTableProps) {
  const { clients, query, isBusy, hasMore, sort, onSort, density, isPhone, onOpen, children } = props
  const now = useNow()
  const height = isPhone ? cardHeight : rowHeights[density]
  const rows = useVirtualRows({ count: clients.length, height, query })
  const { viewport, virtual, focused, setFocused, moveFocus } = rows
  const visible = virtual.getVirtualItems()
  const agents = useKnownAgents(visible.flatMap(({ index }) => clients[index]?.ap_id ?? []))
  const keyDown = (event: KeyboardEvent) => {
    // Keys in a header are its own.
    if (!(event.target instanceof HTMLElement && event.target.dataset['index'])) return
    const index = Number(event.target.dataset['index'])
    const client = clients[index]
    if (!moveFocus(event, index) && event.key === 'Enter' && client) onOpen(client.id)
  }
  const Row = isPhone ? ClientCard : ClientRow
  const grid = isPhone ? {} : { gridTemplateColumns: template, minWidth: width }
  const minWidth = isPhone ? {} : { minWidth: width }
  return (
    <div className="ap-scroll" ref={viewport}>
      <div
        className="ap-grid"
        role="grid"
        aria-label="Clients"
        // Not known while there are more.
        aria-rowcount={hasMore ? -1 : clients.length + 1}
        aria-busy={isBusy}
        onKeyDown={keyDown}
      >
        {!isPhone && (
          <div role="rowgroup" className="ap-head" style={minWidth}>
            <div role="row" aria-rowindex={1} className="ap-columns" style={grid}>
              {columns.map((column) => (
                <HeaderCell key={column.label} column={column} sort={sort} onSort={onSort} />
              ))}
            </div>
          </div>
        )}
        <div role="rowgroup" style={{ height: virtual.getTotalSize(), position: 'relative', ...minWidth }}>
          {visible.map(({ index, start, key }) => {
            const client = clients[index]
            if (!client) return null
            return (
              <Row
                key={key}
                client={client}
                agent={agentOf(agents, client)}
                index={index}
                style={{ ...grid, height, transform: `translateY(${start}px)` }}
                now={now}
                isFocused={index === focused}
                onFocus={() => setFocused(index)}
                onOpen={() => onOpen(client.id)}
              />
            )
          })}
        </div>
      </div>
      {children}
    </div>
  )
}

const agentOf = (agents: ReadonlyMap<string, FleetAgent>, { ap_id: apId }: Client) => agents.get(apId)

interface HeaderCellProps {
  column: (typeof columns)[number]
  sort: ClientOrder
  onSort: (sort: ClientOrder) => void
}

function HeaderCell({ column, sort, onSort }: HeaderCellProps) {
  const { label, title, isNumber, sort: own } = column
  const className = isNumber ? 'ap-number' : undefined
  if (!own)
    return (
      <div role="columnheader" className={className} title={title}>
        <span className="ap-sort">{label}</span>
      </div>
    )
  const isSorted = own.by === sort
  const Arrow = own.order === 'ascending' ? IconArrowUp : IconArrowDown
  return (
    <div role="columnheader" className={className} title={title} aria-sort={isSorted ? own.order : 'none'}>
      <UnstyledButton className="ap-sort" fz={13} onClick={() => onSort(own.by)}>
        <span>{label}</span>
        {isSorted && <Arrow size={14} aria-hidden />}
      </UnstyledButton>
    </div>
  )
}
