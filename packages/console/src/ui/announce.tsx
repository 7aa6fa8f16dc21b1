import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { errorText } from './error-text.ts'

let lastId = 0

/** A notification about a completed change, with an Undo button if it can be undone. */
export function announce(message: string, undo?: () => Promise<unknown>): void {
  const id = `announcement-${++lastId}`
  let isUndone = false
  const runUndo = async () => {
    if (isUndone) return
    isUndone = true
    // A new notification shows the outcome, since this one may have closed by then.
    notifications.hide(id)
    try {
      await undo?.()
      notifications.show({ message: 'Change undone.', autoClose: 4000 })
    } catch (error) {
      notifications.show({ color: 'red', message: errorText(error), autoClose: false })
    }
  }
  notifications.show({
    id,
    autoClose: undo ? 12_000 : 4000,
    message: undo ? (
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm">{message}</Text>
        <Button size="compact-sm" variant="default" onClick={() => void runUndo()}>
          Undo
        </Button>
      </Group>
    ) : (
      message
    ),
  })
}
