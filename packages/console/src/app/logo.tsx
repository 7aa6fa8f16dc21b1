import { Group, Text } from '@mantine/core'

/** The shapes of the three technologies. */
export function Logo({ withName = true }: { withName?: boolean }) {
  return (
    <Group gap={8} wrap="nowrap">
      <img src="/icon.svg" alt="" width={28} height={28} />
      {withName && (
        <Text fw={700} size="lg" component="span">
          MANC
        </Text>
      )}
    </Group>
  )
}
