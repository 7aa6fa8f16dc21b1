import './record-list.css'
import { ActionIcon, Button, Center, Group, Menu, Paper, Text, TextInput } from '@mantine/core'
import { IconDots, IconPlus, IconSearch } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { formatNumber } from '../format/number.ts'
import { Empty } from './states.tsx'

interface RecordListHeaderProps {
  /** `users` */
  what: string
  search: string
  onSearch: (search: string) => void
  /** `Add user` */
  add: string
  onAdd: () => void
}

/** The search field and the add button above a list. */
export function RecordListHeader({ what, search, onSearch, add, onAdd }: RecordListHeaderProps) {
  return (
    <Group mb="md" gap="sm" wrap="nowrap">
      <TextInput
        style={{ flex: 1 }}
        aria-label={`Search ${what}`}
        placeholder={`Search ${what}`}
        leftSection={<IconSearch size={16} />}
        value={search}
        onChange={({ currentTarget }) => onSearch(currentTarget.value)}
      />
      <Button leftSection={<IconPlus size={16} />} onClick={onAdd}>
        {add}
      </Button>
    </Group>
  )
}

const pageSize = 50

interface RecordListProps<Item> {
  label: string
  items: readonly Item[]
  keyOf: (item: Item) => string
  children: (item: Item) => ReactNode
}

/** A list that shows more rows on request. */
export function RecordList<Item>({ label, items, keyOf, children }: RecordListProps<Item>) {
  const [shown, setShown] = useState(pageSize)
  if (items.length === 0) return <Empty title="No matches">Change or clear the search.</Empty>
  const left = items.length - shown
  return (
    <Paper withBorder role="list" aria-label={label}>
      {items.slice(0, shown).map((item) => (
        <div key={keyOf(item)} role="listitem" className="entry">
          {children(item)}
        </div>
      ))}
      {left > 0 && (
        <Center p="sm" className="entry">
          <Button variant="subtle" onClick={() => setShown(shown + pageSize)}>
            Show {Math.min(left, pageSize)} more ({formatNumber(left)} not shown)
          </Button>
        </Center>
      )}
    </Paper>
  )
}

interface Action {
  label: string
  icon: ReactNode
  isDangerous?: boolean
  run: () => void
}

interface RecordRowProps {
  icon?: ReactNode
  name: string
  subtitle?: ReactNode
  /** At the end of the row. */
  details?: ReactNode
  actions: readonly Action[]
}

export function RecordRow({ icon, name, subtitle, details, actions }: RecordRowProps) {
  return (
    <Group className="entry-line" px="md" py="sm" gap="sm" wrap="nowrap">
      {icon}
      <div style={{ flex: 1, minWidth: 0 }}>
        <Text size="sm" fw={500} truncate>
          {name}
        </Text>
        {subtitle && (
          <Text size="xs" c="dimmed" component="div">
            {subtitle}
          </Text>
        )}
      </div>
      {details && (
        <Group className="entry-facts" gap={6}>
          {details}
        </Group>
      )}
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${name}`}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {actions.map(({ label, icon: actionIcon, isDangerous, run }) => (
            <Menu.Item
              key={label}
              leftSection={actionIcon}
              onClick={run}
              {...(isDangerous && { c: 'var(--mantine-color-error)' })}
            >
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Group>
  )
}
