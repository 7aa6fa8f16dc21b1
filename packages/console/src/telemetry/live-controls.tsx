import { Button, Text } from '@mantine/core'
import { IconZoomReset } from '@tabler/icons-react'
import { formatAge } from '../format/time.ts'
import { useNow } from '../ui/states.tsx'

export function ZoomOut({ onClick }: { onClick: () => void }) {
  return (
    <Button size="xs" variant="default" leftSection={<IconZoomReset size={14} />} onClick={onClick}>
      Zoom out
    </Button>
  )
}

export function PausedFor({ sinceMs }: { sinceMs: number }) {
  const now = useNow()
  return (
    <Text size="xs" fw={600} className="figures" role="status">
      Paused, data {formatAge(now - sinceMs)} old
    </Text>
  )
}
