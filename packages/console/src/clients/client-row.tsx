import type { Client, FleetAgent } from '@manc/sdk'
import { Text } from '@mantine/core'
import type { CSSProperties, MouseEvent } from 'react'
import { TechnologyIcon } from '../fleet/technology-icon.tsx'
import { columns, SinceCell, StateCell } from './client-columns.tsx'
import { rateText, signalText, stateText } from './client-texts.ts'

interface RowProps {
  client: Client
  agent: FleetAgent | undefined
  index: number
  style: CSSProperties
  now: number
  isFocused: boolean
  onFocus: () => void
  onOpen: () => void
}

/** Clicks on a link do not open the row. */
const isOfLink = ({ target }: MouseEvent) => target instanceof Element && target.closest('a') !== null

const rowProps = ({ client, agent, index, style, isFocused, onFocus, onOpen }: RowProps) =>
  ({
    role: 'row',
    className: 'ap-row',
    style,
    'data-index': index,
    // The first row is that of the headers.
    'aria-rowindex': index + 2,
    'aria-label': `${client.id}, ${agent?.name ?? client.ap_id}, ${client.technology}, ${stateText(client)}`,
    tabIndex: isFocused ? 0 : -1,
    onFocus,
    onClick: (event: MouseEvent) => {
      if (!isOfLink(event)) onOpen()
    },
  }) as const

export function ClientRow(props: RowProps) {
  const { client, agent, now } = props
  return (
    <div {...rowProps(props)}>
      {columns.map(({ label, isNumber, cell }) => (
        <div key={label} role="gridcell" className={`ap-cell${isNumber ? ' ap-number' : ''}`}>
          {cell(client, { now, agent })}
        </div>
      ))}
    </div>
  )
}

/** On a phone: the client and its state, below them the access point, the signal and the rate. */
export function ClientCard(props: RowProps) {
  const { client, agent, now, style } = props
  const facts = [agent?.name ?? client.ap_id, signalText(client), rateText(client)]
  return (
    <div {...rowProps({ ...props, style: { ...style, gridTemplateColumns: 'minmax(0, 1fr)' } })}>
      <div role="gridcell" className="ap-card" style={{ paddingInlineStart: 12 }}>
        <div className="ap-card-line">
          <Text size="sm" fw={500} className="figures">
            <TechnologyIcon technology={client.technology} /> {client.id}
          </Text>
          <Text size="sm" component="span">
            <StateCell client={client} />
          </Text>
        </div>
        <div className="ap-card-line">
          <Text size="xs" c="dimmed">
            {facts.filter((fact) => fact !== undefined).join(' · ')}
          </Text>
          <Text size="xs" c="dimmed" component="span">
            <SinceCell since={client.since} now={now} />
          </Text>
        </div>
      </div>
    </div>
  )
}
