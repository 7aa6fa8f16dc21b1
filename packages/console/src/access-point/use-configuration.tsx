import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useManc } from '../app/session.tsx'
import { errorText } from '../ui/error-text.ts'
import { type Configuration, changesBetween } from './configuration-diff.ts'

/** Replaces the configuration of an access point, and offers to undo that. */
export function useReplaceConfiguration(apId: string) {
  const manc = useManc()
  const queries = useQueryClient()

  /** Saving replaces the whole configuration, so it is done only if the current one is `expected`. */
  const replace = async (configuration: Configuration, expected: Configuration, conflict: string) => {
    const current = await manc.agents.get(apId)
    queries.setQueryData(['agent', apId], current)
    if (changesBetween(expected, current.configuration).length > 0) throw new Error(conflict)
    queries.setQueryData(['agent', apId], await manc.agents.update(apId, { configuration }))
    await queries.invalidateQueries({ queryKey: ['configurations', apId] })
  }
  const undo = async (before: Configuration, saved: Configuration) => {
    try {
      await replace(
        before,
        saved,
        `The configuration of ${apId} was changed again and was not restored. Check its current configuration.`,
      )
      notifications.show({ message: `Configuration of ${apId} restored.` })
    } catch (error) {
      notifications.show({ color: 'red', message: errorText(error) })
    }
  }
  /** Throws if the configuration is no longer `before`. */
  return async (configuration: Configuration, before: Configuration) => {
    await replace(
      configuration,
      before,
      'The configuration was changed by another user or the agent while you were editing. Copy your changes, cancel, and edit the current configuration.',
    )
    offerUndo(apId, () => void undo(before, configuration))
  }
}

/** The stored versions, the newest first. */
export function useConfigurations(apId: string, isShown: boolean) {
  const manc = useManc()
  return useQuery({
    queryKey: ['configurations', apId],
    enabled: isShown,
    queryFn: ({ signal }) => manc.agents.configurations(apId, { signal }),
    refetchInterval: 30_000,
  })
}

/** One version, which never changes. */
export function useConfiguration(apId: string, version: number | undefined) {
  const manc = useManc()
  return useQuery({
    queryKey: ['configurations', apId, version],
    enabled: version !== undefined,
    queryFn: ({ signal }) => manc.agents.configuration(apId, version ?? 0, { signal }),
    staleTime: Infinity,
  })
}

function offerUndo(apId: string, undo: () => void): void {
  const id = notifications.show({
    autoClose: 20_000,
    title: 'Saved',
    message: (
      <Group justify="space-between" gap="sm">
        <Text size="sm">Configuration of {apId} changed.</Text>
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => {
            notifications.hide(id)
            undo()
          }}
        >
          Undo
        </Button>
      </Group>
    ),
  })
}
