import { ActionIcon, Tooltip } from '@mantine/core'
import { IconBaselineDensityMedium, IconBaselineDensitySmall } from '@tabler/icons-react'
import type { Density } from './density.ts'

interface DensityButtonProps {
  density: Density
  onChange: (density: Density) => void
}

/** Switches the height of the rows of a table. */
export function DensityButton({ density, onChange }: DensityButtonProps) {
  const isCompact = density === 'compact'
  const label = isCompact ? 'Comfortable rows' : 'Compact rows'
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="default"
        size={30}
        aria-label={label}
        onClick={() => onChange(isCompact ? 'comfortable' : 'compact')}
      >
        {isCompact ? <IconBaselineDensityMedium size={16} /> : <IconBaselineDensitySmall size={16} />}
      </ActionIcon>
    </Tooltip>
  )
}
