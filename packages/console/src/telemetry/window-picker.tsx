import { SegmentedControl } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { defaultWindowS, windows } from './windows.ts'

/** The last selected window, read before the first render. */
export const useWindow = () =>
  useLocalStorage<number>({
    key: 'manc.window',
    defaultValue: defaultWindowS,
    getInitialValueInEffect: false,
  })

interface WindowPickerProps {
  value: number
  onChange: (windowS: number) => void
}

export function WindowPicker({ value, onChange }: WindowPickerProps) {
  return (
    <SegmentedControl
      size="xs"
      aria-label="Window"
      value={String(value)}
      onChange={(seconds) => onChange(Number(seconds))}
      data={windows.map(([seconds, label]) => ({ value: String(seconds), label }))}
    />
  )
}
