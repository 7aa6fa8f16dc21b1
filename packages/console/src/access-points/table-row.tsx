import type { TableColumn } from '@manc/contract/table-columns'
import type { FleetTableRow } from '@manc/sdk'
import { Checkbox, Text } from '@mantine/core'
import type { CSSProperties, MouseEvent, ReactNode } from 'react'
import { TechnologyIcon } from '../fleet/technology-icon.tsx'
import { columns, HealthCell } from './table-columns.tsx'

interface RowProps {
  /** Undefined until it is read. */
  row: FleetTableRow | undefined
  index: number
  style: CSSProperties
  columns: readonly TableColumn[]
  now: number
  isFocused: boolean
  isSelected: boolean
  onFocus: () => void
  onSelect: (event: MouseEvent) => void
  onOpen: () => void
  actions: ReactNode
}

/** Clicks on a checkbox, a link or a menu do not open the row. */
const isOfControl = ({ target }: MouseEvent) =>
  target instanceof Element && target.closest('a, button, input, label, [role=menu]') !== null

type ReadRowProps = RowProps & { row: FleetTableRow }

const hasRow = (props: RowProps): props is ReadRowProps => props.row !== undefined

/** A row has the same element before and after it is read, so that it keeps the focus. */
function rowProps({ row, index, style, isFocused, isSelected, onFocus, onSelect, onOpen }: RowProps) {
  return {
    role: 'row',
    className: 'ap-row',
    style,
    'data-index': index,
    // The first row is that of the headers.
    'aria-rowindex': index + 2,
    'aria-selected': isSelected,
    'aria-label': row ? `${row.name ?? row.ap_id}, ${row.technology}, ${row.health}` : 'Loading',
    'data-waiting': row === undefined || undefined,
    tabIndex: isFocused ? 0 : -1,
    onFocus,
    onClick: (event: MouseEvent) => {
      if (isOfControl(event) || !row) return
      if (event.shiftKey || event.ctrlKey || event.metaKey) onSelect(event)
      else onOpen()
    },
  } as const
}

function SelectCell({ row, isFocused, isSelected, onSelect }: ReadRowProps) {
  return (
    <div role="gridcell" className="ap-cell">
      <Checkbox
        size="xs"
        aria-label={`Select ${row.name ?? row.ap_id}`}
        checked={isSelected}
        tabIndex={isFocused ? 0 : -1}
        onClick={onSelect}
        onChange={() => {}}
      />
    </div>
  )
}

export function TableRow(props: RowProps) {
  return (
    <div {...rowProps(props)}>
      {hasRow(props) ? <Cells {...props} /> : <WaitingCells cells={props.columns.length} />}
    </div>
  )
}

function Cells(props: ReadRowProps) {
  return (
    <>
      <SelectCell {...props} />
      {props.columns.map((name) => (
        <div key={name} role="gridcell" className={`ap-cell${columns[name].isNumber ? ' ap-number' : ''}`}>
          {columns[name].cell(props.row, props.now)}
        </div>
      ))}
      {props.actions && (
        <div role="gridcell" className="ap-cell">
          {props.actions}
        </div>
      )}
    </>
  )
}

/** On a phone: name, health and the first metrics. */
export function CardRow(props: RowProps) {
  const style = { ...props.style, gridTemplateColumns: '40px minmax(0, 1fr) 40px' }
  return (
    <div {...rowProps({ ...props, style })}>
      {hasRow(props) ? <Card {...props} /> : <WaitingCells cells={1} />}
    </div>
  )
}

function Card(props: ReadRowProps) {
  const { row, now } = props
  const facts = props.columns.filter(
    (name) => columns[name].isNumber && columns[name].value(row, now) !== null,
  )
  return (
    <>
      <SelectCell {...props} />
      <div role="gridcell" className="ap-card">
        <div className="ap-card-line">
          <Text size="sm" fw={500}>
            <TechnologyIcon technology={row.technology} state={row.state} /> {row.name ?? row.ap_id}
          </Text>
          <HealthCell health={row.health} reason={row.reason} />
        </div>
        <div className="ap-card-line">
          <Text size="xs" c="dimmed">
            {facts.length === 0
              ? row.ap_id
              : facts
                  .slice(0, 3)
                  .map((name) => factOf(name, row, now))
                  .join(' · ')}
          </Text>
          <Text size="xs" c="dimmed" component="span">
            {columns.last_seen.cell(row, now)}
          </Text>
        </div>
      </div>
      {props.actions && <div role="gridcell">{props.actions}</div>}
    </>
  )
}

const factOf = (name: TableColumn, row: FleetTableRow, now: number): string => {
  const { label, unit, value } = columns[name]
  const number = value(row, now)
  return `${label} ${typeof number === 'number' ? Math.round(number * 10) / 10 : number}${unit ? ` ${unit}` : ''}`
}

/** Of a row that is not read yet. */
function WaitingCells({ cells }: { cells: number }) {
  return Array.from({ length: cells + 1 }, (_, cell) => (
    <div key={cell} role="gridcell">
      {cell > 0 && <div className="ap-waiting" />}
    </div>
  ))
}
