import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { inWords } from '../frame/queries.ts'

let said = 0

/** Says what was done, and takes it back where that is possible. */
export function announce(message: string, undo?: () => Promise<unknown>): void {
  const id = `said-${++said}`
  let isTakenBack = false
  const takeBack = async () => {
    if (isTakenBack) return
    isTakenBack = true
    // Another notice tells how it went: this one may be gone by then.
    notifications.hide(id)
    try {
      await undo?.()
      notifications.show({ message: 'Change undone.', autoClose: 4000 })
    } catch (error) {
      notifications.show({ color: 'red', message: inWords(error), autoClose: false })
    }
  }
  notifications.show({
    id,
    autoClose: undo ? 12_000 : 4000,
    message: undo ? (
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm">{message}</Text>
        <Button size="compact-sm" variant="default" onClick={() => void takeBack()}>
          Undo
        </Button>
      </Group>
    ) : (
      message
    ),
  })
}
