import { ActionIcon, Button, Center, Group, Menu, Paper, Text, TextInput } from '@mantine/core'
import { IconDots, IconPlus, IconSearch } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { formatNumber } from '../format/number.ts'
import { Empty } from '../frame/states.tsx'

interface HeadProps {
  /** What is searched: `users`. */
  what: string
  words: string
  onWords: (words: string) => void
  /** What the button does: `Add a user`. */
  add: string
  onAdd: () => void
}

/** Above a list: find in it, add to it. */
export function EntriesHead({ what, words, onWords, add, onAdd }: HeadProps) {
  return (
    <Group mb="md" gap="sm" wrap="nowrap">
      <TextInput
        style={{ flex: 1 }}
        aria-label={`Search ${what}`}
        placeholder={`Search ${what}`}
        leftSection={<IconSearch size={16} />}
        value={words}
        onChange={({ currentTarget }) => onWords(currentTarget.value)}
      />
      <Button leftSection={<IconPlus size={16} />} onClick={onAdd}>
        {add}
      </Button>
    </Group>
  )
}

const pieceSize = 50

interface EntriesProps<Item> {
  label: string
  items: readonly Item[]
  keyOf: (item: Item) => string
  children: (item: Item) => ReactNode
}

/** A list of which as much is shown as is asked for. */
export function Entries<Item>({ label, items, keyOf, children }: EntriesProps<Item>) {
  const [shown, setShown] = useState(pieceSize)
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
          <Button variant="subtle" onClick={() => setShown(shown + pieceSize)}>
            Show {Math.min(left, pieceSize)} more ({formatNumber(left)} not shown)
          </Button>
        </Center>
      )}
    </Paper>
  )
}

interface Act {
  label: string
  icon: ReactNode
  isDangerous?: boolean
  run: () => void
}

interface EntryProps {
  icon?: ReactNode
  name: string
  about?: ReactNode
  /** What is known of it, at the end of the line. */
  facts?: ReactNode
  acts: readonly Act[]
}

export function Entry({ icon, name, about, facts, acts }: EntryProps) {
  return (
    <Group className="entry-line" px="md" py="sm" gap="sm" wrap="nowrap">
      {icon}
      <div style={{ flex: 1, minWidth: 0 }}>
        <Text size="sm" fw={500} truncate>
          {name}
        </Text>
        {about && (
          <Text size="xs" c="dimmed" component="div">
            {about}
          </Text>
        )}
      </div>
      {facts && (
        <Group className="entry-facts" gap={6}>
          {facts}
        </Group>
      )}
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${name}`}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {acts.map(({ label, icon: sign, isDangerous, run }) => (
            <Menu.Item
              key={label}
              leftSection={sign}
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
