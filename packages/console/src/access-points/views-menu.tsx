import type { View } from '@manc/sdk'
import { ActionIcon, Button, Checkbox, Group, Menu, Text, TextInput, Tooltip } from '@mantine/core'
import { IconBookmark, IconChevronDown, IconLink, IconShare, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useCurrentUser } from '../app/current-user.ts'
import { useManc } from '../app/session.tsx'
import { announce } from '../ui/announce.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { errorText } from '../ui/error-text.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { parseTable, stateOfView, type TableState, viewOfState } from './table-search.ts'
import type { ChangeTable } from './use-table-state.ts'

interface ViewsProps {
  table: TableState
  change: ChangeTable
}

type Open = { what: 'save' } | { what: 'delete'; view: View }

/** Saved views: own ones and those that others share. A view is chosen by its id in the address. */
export function ViewsMenu({ table, change }: ViewsProps) {
  const manc = useManc()
  const me = useCurrentUser()
  const queryClient = useQueryClient()
  const [open, setOpen] = useState<Open>()
  const views = useQuery({
    queryKey: ['views'],
    queryFn: ({ signal }) => Array.fromAsync(manc.views.list({ signal })),
    staleTime: 30_000,
  })
  const current = useLinkedView(table, change)
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['views'] })
  const isChanged =
    current !== undefined &&
    JSON.stringify(viewOfState(table)) !==
      JSON.stringify(viewOfState({ ...parseTable({}), ...stateOfView(current) }))
  const use = (view: View) => {
    queryClient.setQueryData(['views', view.id], view)
    change(stateOfView(view))
  }
  const update = async (view: View, changes: { shared?: boolean } = {}) => {
    try {
      const body = { name: view.name, shared: view.shared, ...viewOfState(table), ...changes }
      use(await manc.views.update(view.id, body))
      await refresh()
      announce(changes.shared ? `All users can see ${view.name}.` : `View ${view.name} saved.`)
    } catch (error) {
      announce(errorText(error))
    }
  }
  const own = views.data?.filter(({ is_own: isOwn }) => isOwn) ?? []
  const shared = views.data?.filter(({ is_own: isOwn }) => !isOwn) ?? []
  const item = (view: View) => (
    <Menu.Item key={view.id} onClick={() => use(view)} {...(view.id === current?.id && { fw: 600 })}>
      {view.name}
      {!view.is_own && (
        <Text size="xs" c="dimmed">
          {view.created_by}
        </Text>
      )}
    </Menu.Item>
  )
  return (
    <>
      <Menu position="bottom-start" withinPortal shadow="md">
        <Menu.Target>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconBookmark size={14} />}
            rightSection={<IconChevronDown size={14} />}
          >
            {current ? `${current.name}${isChanged ? ' (changed)' : ''}` : 'Views'}
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah={440} style={{ overflowY: 'auto' }}>
          <Menu.Item onClick={() => change({ ...parseTable({}), density: table.density })}>
            All access points
          </Menu.Item>
          {own.length > 0 && <Menu.Label>My views</Menu.Label>}
          {own.map(item)}
          {shared.length > 0 && <Menu.Label>Shared by others</Menu.Label>}
          {shared.map(item)}
          {views.isError && <Menu.Label>{errorText(views.error)}</Menu.Label>}
          <Menu.Divider />
          {current?.is_own && isChanged && (
            <Menu.Item leftSection={<IconBookmark size={14} />} onClick={() => void update(current)}>
              Save changes
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconBookmark size={14} />} onClick={() => setOpen({ what: 'save' })}>
            Save as new view
          </Menu.Item>
          {current?.is_own && !current.shared && (
            <Menu.Item
              leftSection={<IconShare size={14} />}
              onClick={() => void update(current, { shared: true })}
            >
              Share with all users
            </Menu.Item>
          )}
          {current && (current.is_own || me.isAdmin) && (
            <Menu.Item
              leftSection={<IconTrash size={14} />}
              c="var(--mantine-color-error)"
              onClick={() => setOpen({ what: 'delete', view: current })}
            >
              Delete view
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <CopyLink />
      {open?.what === 'save' && (
        <SaveView
          table={table}
          onSaved={async (view) => {
            use(view)
            await refresh()
          }}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open?.what === 'delete' && (
        <ConfirmDialog
          title={`Delete the view ${open.view.name}?`}
          confirmLabel="Delete view"
          onCancel={() => setOpen(undefined)}
          onConfirm={async () => {
            await manc.views.remove(open.view.id)
            change({ view: undefined })
            await refresh()
            announce(`View ${open.view.name} deleted.`)
            setOpen(undefined)
          }}
        >
          {open.view.shared ? 'It is shared: other users lose it too.' : 'It cannot be restored.'}
        </ConfirmDialog>
      )}
    </>
  )
}

/** The view that the address names. A link with nothing but the view gets its columns, sort and filters. */
function useLinkedView(table: TableState, change: ChangeTable): View | undefined {
  const manc = useManc()
  const { view: id } = table
  const { data } = useQuery({
    queryKey: ['views', id],
    enabled: id !== undefined,
    queryFn: ({ signal }) => manc.views.get(id ?? '', { signal }),
    staleTime: 30_000,
    retry: false,
  })
  const isBare = JSON.stringify({ ...table, view: undefined }) === JSON.stringify(parseTable({}))
  useEffect(() => {
    if (data && isBare) change(stateOfView(data))
  }, [data?.id])
  return id === undefined ? undefined : data
}

function CopyLink() {
  const copy = async () => {
    await navigator.clipboard.writeText(location.href)
    announce('Link copied.')
  }
  return (
    <Tooltip label="Copy link">
      <ActionIcon
        variant="default"
        size={30}
        aria-label="Copy link"
        onClick={() => void copy().catch(() => announce('The browser refused. Copy the address instead.'))}
      >
        <IconLink size={16} />
      </ActionIcon>
    </Tooltip>
  )
}

interface SaveViewProps {
  table: TableState
  onSaved: (view: View) => Promise<unknown>
  onClose: () => void
}

function SaveView({ table, onSaved, onClose }: SaveViewProps) {
  const manc = useManc()
  const [name, setName] = useState('')
  const [isShared, setShared] = useState(false)
  return (
    <FormDialog
      title="Save view"
      submitLabel="Save"
      onClose={onClose}
      isReady={() => name.trim() !== ''}
      onSubmit={async () => {
        const view = await manc.views.create({
          name: name.trim(),
          shared: isShared,
          ...viewOfState(table),
        })
        await onSaved(view)
        announce(`View ${view.name} saved.`)
        onClose()
      }}
    >
      <TextInput
        label="Name"
        required
        maxLength={80}
        data-autofocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Group>
        <Checkbox
          label="Share with all users"
          checked={isShared}
          onChange={({ currentTarget }) => setShared(currentTarget.checked)}
        />
      </Group>
    </FormDialog>
  )
}
