import type { TableSort } from '@manc/contract/table-columns'
import { Checkbox, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useRef } from 'react'
import type { Table } from '../fleet/use-table.ts'
import { rowHeights } from '../ui/density.ts'
import { useNow } from '../ui/states.tsx'
import { useVirtualRows } from '../ui/use-virtual-rows.ts'
import { isSelected, type Selection, toggled } from './selection.ts'
import { columns } from './table-columns.tsx'
import { CardRow, TableRow } from './table-row.tsx'
import { defaultOrder, type TableState } from './table-search.ts'
import type { ChangeTable } from './use-table-state.ts'

const cardHeight = 62
const checkboxWidth = 40
const actionsWidth = 40

interface TableProps {
  table: TableState
  change: ChangeTable
  data: Table
  onRange: (first: number, last: number) => void
  selection: Selection
  onSelect: (selection: Selection) => void
  /** Also rows that are not read yet. */
  onSelectBetween: (first: number, last: number) => void
  onSelectAll: () => void
  onOpen: (apId: string) => void
  /** Actions of a row; undefined if there are none. */
  actions: ((apId: string, name: string | null, isFocused: boolean) => ReactNode) | undefined
  isPhone: boolean
}

/** A virtual table: only visible rows are rendered, and only their pages are read. */
export function AccessPointTable(props: TableProps) {
  const { table, change, data, onRange, selection, onSelect, onSelectBetween, onSelectAll } = props
  const { onOpen, actions, isPhone } = props
  const anchor = useRef<number>(undefined)
  const now = useNow()
  const total = data.total ?? 0
  const height = isPhone ? cardHeight : rowHeights[table.density]
  const rows = useVirtualRows({ count: total, height, query: data.query })
  const { viewport, virtual, focused, setFocused, startIndex, endIndex, moveFocus } = rows
  useEffect(() => onRange(startIndex, endIndex), [startIndex, endIndex])
  useEffect(() => {
    anchor.current = undefined
  }, [data.query])
  const template = [
    `${checkboxWidth}px`,
    ...table.columns.map(
      (name) => `minmax(${columns[name].width}px, ${columns[name].isText ? '2fr' : '1fr'})`,
    ),
    ...(actions ? [`${actionsWidth}px`] : []),
  ].join(' ')
  const width =
    checkboxWidth +
    table.columns.reduce((sum, name) => sum + columns[name].width, 0) +
    (actions ? actionsWidth : 0)
  const style = isPhone ? {} : { gridTemplateColumns: template, minWidth: width }

  const keyDown = (event: KeyboardEvent) => {
    // Keys in a checkbox or a menu of the row are its own.
    if (!(event.target instanceof HTMLElement && event.target.dataset['index'])) return
    const index = Number(event.target.dataset['index'])
    const row = data.rowAt(index)
    if (moveFocus(event, index)) return
    if (event.key === ' ' && row) {
      event.preventDefault()
      anchor.current = index
      onSelect(toggled(selection, row.ap_id))
    } else if (event.key === 'Enter' && row) onOpen(row.ap_id)
    else if (event.key === 'a' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      onSelectAll()
    }
  }
  /** With Shift, also the rows between this and the last one. */
  const select = (index: number, apId: string, event: MouseEvent) => {
    const from = anchor.current
    anchor.current = index
    if (!event.shiftKey || from === undefined) return onSelect(toggled(selection, apId))
    onSelectBetween(Math.min(from, index), Math.max(from, index))
  }
  const sortBy = (sort: TableSort) => {
    const isSame = sort === table.sort
    const order = isSame ? (table.order === 'asc' ? 'desc' : 'asc') : defaultOrder(sort)
    change({ sort, order })
  }
  return (
    <div className="ap-scroll" ref={viewport}>
      <div
        className="ap-grid"
        role="grid"
        aria-label="Access points"
        aria-rowcount={total + 1}
        aria-multiselectable
        aria-busy={data.isPending}
        data-shown={data.query}
        onKeyDown={keyDown}
      >
        {!isPhone && (
          <div role="rowgroup" className="ap-head" style={{ minWidth: width }}>
            <div role="row" aria-rowindex={1} className="ap-columns" style={style}>
              <div role="columnheader" className="ap-cell">
                <Checkbox
                  size="xs"
                  aria-label="Select all that match"
                  checked={selection.isAll && selection.ids.size === 0}
                  indeterminate={selection.ids.size > 0}
                  onChange={({ currentTarget }) =>
                    currentTarget.checked ? onSelectAll() : onSelect({ isAll: false, ids: new Set() })
                  }
                />
              </div>
              {table.columns.map((name) => (
                <HeaderCell key={name} name={name} table={table} onSort={sortBy} />
              ))}
              {actions && <div role="columnheader" className="ap-cell" aria-label="Actions" />}
            </div>
          </div>
        )}
        <div
          role="rowgroup"
          style={{
            height: virtual.getTotalSize(),
            position: 'relative',
            ...(!isPhone && { minWidth: width }),
          }}
        >
          {virtual.getVirtualItems().map(({ index, start, key }) => {
            const row = data.rowAt(index)
            const placed = { ...style, height, transform: `translateY(${start}px)` }
            const Row = isPhone ? CardRow : TableRow
            return (
              <Row
                key={key}
                row={row}
                index={index}
                style={placed}
                columns={table.columns}
                now={now}
                isFocused={index === focused}
                isSelected={row !== undefined && isSelected(selection, row.ap_id)}
                onFocus={() => setFocused(index)}
                onSelect={(event) => row && select(index, row.ap_id, event)}
                onOpen={() => row && onOpen(row.ap_id)}
                actions={row && actions?.(row.ap_id, row.name, index === focused)}
              />
            )
          })}
        </div>
      </div>
    </div>
  )
}

interface HeaderCellProps {
  name: TableState['columns'][number]
  table: TableState
  onSort: (sort: TableSort) => void
}

function HeaderCell({ name, table, onSort }: HeaderCellProps) {
  const { label, unit, isNumber } = columns[name]
  const isSorted = table.sort === name
  const Arrow = table.order === 'asc' ? IconArrowUp : IconArrowDown
  const order = table.order === 'asc' ? 'ascending' : 'descending'
  return (
    <div
      role="columnheader"
      className={isNumber ? 'ap-number' : undefined}
      {...(name !== 'reason' && { 'aria-sort': isSorted ? order : 'none' })}
    >
      {name === 'reason' ? (
        <span className="ap-sort">{label}</span>
      ) : (
        <UnstyledButton className="ap-sort" fz={13} onClick={() => onSort(name)}>
          <span>
            {label}
            {unit && ` (${unit})`}
          </span>
          {isSorted && <Arrow size={14} aria-hidden />}
        </UnstyledButton>
      )}
    </div>
  )
}
