import type { FleetTableRow } from '@manc/sdk'
import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconKey, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'

interface RowActionsProps {
  row: Pick<FleetTableRow, 'ap_id' | 'name'>
  /** Tab goes to the controls of the focused row only. */
  isFocused: boolean
  onReplacePassword: () => void
  onRemove: () => void
}

/** For administrators. A menu is made when its button is used: there is a button in each of many rows. */
export function RowActions({ row, isFocused, onReplacePassword, onRemove }: RowActionsProps) {
  const [isUsed, setUsed] = useState(false)
  const button = {
    variant: 'subtle',
    color: 'gray',
    size: 'sm',
    tabIndex: isFocused ? 0 : -1,
    'aria-label': `Actions for ${row.name ?? row.ap_id}`,
    children: <IconDots size={16} />,
  } as const
  if (!isUsed) return <ActionIcon {...button} onClick={() => setUsed(true)} />
  return (
    <Menu position="bottom-end" withinPortal defaultOpened>
      <Menu.Target>
        <ActionIcon {...button} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconKey size={14} />} onClick={onReplacePassword}>
          Replace password
        </Menu.Item>
        <Menu.Item leftSection={<IconTrash size={14} />} c="var(--mantine-color-error)" onClick={onRemove}>
          Remove
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
