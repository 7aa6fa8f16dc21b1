import { NotFound, type View, type ViewCreate } from '@manc/sdk'
import { ActionIcon, Button, Group, Menu, Text, Tooltip } from '@mantine/core'
import {
  IconBookmark,
  IconChevronDown,
  IconLink,
  IconPencil,
  IconShare,
  IconShareOff,
  IconTrash,
} from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useCurrentUser } from '../app/current-user.ts'
import { useManc } from '../app/session.tsx'
import { announce } from '../ui/announce.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { errorText } from '../ui/error-text.ts'
import { bodyOfView, parseTable, stateOfView, type TableState, viewOfState } from './table-search.ts'
import type { ChangeTable } from './use-table-state.ts'
import { RenameView, SaveView } from './view-dialogs.tsx'

interface ViewsProps {
  table: TableState
  change: ChangeTable
}

type Open = { what: 'save' } | { what: 'delete' | 'rename'; view: View }

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
  const linked = useLinkedView(table, change)
  const current = linked.view
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['views'] })
  const isChanged =
    current !== undefined &&
    JSON.stringify(viewOfState(table)) !==
      JSON.stringify(viewOfState({ ...parseTable({}), ...stateOfView(current) }))
  const use = (view: View) => {
    queryClient.setQueryData(['views', view.id], view)
    change(stateOfView(view))
  }
  /** Only these members: a view that is shared or renamed keeps what is stored, and the table what is changed. */
  const update = async (view: View, changes: Partial<ViewCreate>, done: string) => {
    const saved = await manc.views.update(view.id, { ...bodyOfView(view), ...changes })
    queryClient.setQueryData(['views', view.id], saved)
    await refresh()
    announce(done)
  }
  const tryUpdate = (...args: Parameters<typeof update>) =>
    void update(...args).catch((error: unknown) => announce(errorText(error)))
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
            <Menu.Item
              leftSection={<IconBookmark size={14} />}
              onClick={() => tryUpdate(current, viewOfState(table), `View ${current.name} saved.`)}
            >
              Save changes
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconBookmark size={14} />} onClick={() => setOpen({ what: 'save' })}>
            Save as new view
          </Menu.Item>
          {current?.is_own && (
            <Menu.Item
              leftSection={<IconPencil size={14} />}
              onClick={() => setOpen({ what: 'rename', view: current })}
            >
              Rename
            </Menu.Item>
          )}
          {current?.is_own && !current.shared && (
            <Menu.Item
              leftSection={<IconShare size={14} />}
              onClick={() => tryUpdate(current, { shared: true }, `All users can see ${current.name}.`)}
            >
              Share with all users
            </Menu.Item>
          )}
          {current?.is_own && current.shared && (
            <Menu.Item
              leftSection={<IconShareOff size={14} />}
              onClick={() => tryUpdate(current, { shared: false }, `Only you can see ${current.name}.`)}
            >
              Stop sharing
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
      {linked.error && (
        <Group gap={6} role="alert">
          <Text size="xs" c="var(--mantine-color-error)">
            {linked.error instanceof NotFound
              ? 'The view of this link was deleted, or is not shared any more.'
              : errorText(linked.error)}
          </Text>
          <Button size="compact-xs" variant="default" onClick={() => change({ view: undefined })}>
            Continue without it
          </Button>
        </Group>
      )}
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
      {open?.what === 'rename' && (
        <RenameView
          view={open.view}
          onRename={(name) => update(open.view, { name }, `View ${name} saved.`)}
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

interface LinkedView {
  view: View | undefined
  error: Error | null
}

/** The view that the address names. A link with nothing but the view gets its columns, sort and filters. */
function useLinkedView({ view: id, isLink }: TableState, change: ChangeTable): LinkedView {
  const manc = useManc()
  const { data, error } = useQuery({
    queryKey: ['views', id],
    enabled: id !== undefined,
    queryFn: ({ signal }) => manc.views.get(id ?? '', { signal }),
    staleTime: 30_000,
    retry: false,
  })
  useEffect(() => {
    if (data && isLink) change(stateOfView(data))
  }, [data?.id, isLink])
  return id === undefined ? { view: undefined, error: null } : { view: data, error: data ? null : error }
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
