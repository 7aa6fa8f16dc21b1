import type { AgentState, Technology } from '@manc/sdk'
import { useComputedColorScheme, VisuallyHidden } from '@mantine/core'
import { colourOf } from '../ui/theme.ts'

const shapes: Record<Technology, string> = {
  '5G': 'M8 1.6l5.6 3.2v6.4L8 14.4l-5.6-3.2V4.8z',
  WiFi: 'M8 2.2a5.8 5.8 0 100 11.6A5.8 5.8 0 008 2.2z',
  LiFi: 'M8 1l7 7-7 7-7-7z',
  other: 'M2.6 2.6h10.8v10.8H2.6z',
}

interface TechnologyIconProps {
  technology: Technology
  /** Of an access point. Undefined: only the technology is shown. */
  state?: AgentState
}

/** Shape and colour show the technology, the fill shows the state. Includes a text for screen readers. */
export function TechnologyIcon({ technology, state }: TechnologyIconProps) {
  const scheme = useComputedColorScheme('light')
  const colour = colourOf(technology, scheme)
  const isSolid = state === undefined || state === 'online'
  return (
    <>
      <svg viewBox="0 0 16 16" width={16} height={16} aria-hidden style={{ flex: 'none' }}>
        <path
          d={shapes[technology]}
          fill={isSolid ? colour : 'none'}
          stroke={colour}
          strokeWidth={1.6}
          strokeLinejoin="round"
        />
        {state === 'offline' && (
          <path d="M5.6 5.6l4.8 4.8m0-4.8l-4.8 4.8" stroke={colour} strokeWidth={1.6} />
        )}
      </svg>
      <VisuallyHidden>{state === undefined ? technology : `${technology}, ${state}`}</VisuallyHidden>
    </>
  )
}
