import { Button, Menu, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconLink } from '@tabler/icons-react'
import { isLive, periodOf, rangeLabel, rangeSearch, type TimeRange } from './time-range.ts'

/** Copies the address of the page: with a live range also with fixed times, so that others see the same data. */
export function CopyLink({ range }: { range: TimeRange | undefined }) {
  if (!range || !isLive(range))
    return (
      <Button
        size="xs"
        variant="default"
        leftSection={<IconLink size={14} />}
        onClick={() => void copy(linkWith(range))}
      >
        Copy link
      </Button>
    )
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button size="xs" variant="default" leftSection={<IconLink size={14} />}>
          Copy link
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void copy(linkWith(range))}>
          Relative
          <Text size="xs" c="dimmed">
            {rangeLabel(range)}, as seen when it is opened
          </Text>
        </Menu.Item>
        <Menu.Item onClick={() => void copy(linkWith(periodOf(range, Math.floor(Date.now() / 1000) * 1000)))}>
          Absolute
          <Text size="xs" c="dimmed">
            What you see now
          </Text>
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** The address of the page with this range. */
function linkWith(range: TimeRange | undefined): string {
  const link = new URL(location.href)
  for (const [name, value] of Object.entries(rangeSearch(range))) {
    if (value === undefined) link.searchParams.delete(name)
    else link.searchParams.set(name, value)
  }
  return link.href
}

/** Browsers deny access to the clipboard on pages without TLS: then the link is shown. */
async function copy(link: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(link)
    notifications.show({ message: 'Link copied' })
  } catch {
    notifications.show({ title: 'Copy this link manually', message: link, autoClose: false })
  }
}
