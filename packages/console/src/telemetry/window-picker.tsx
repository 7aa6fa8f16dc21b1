import { SegmentedControl } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'

const windows = [
  [60, '1 min', 'the last minute'],
  [300, '5 min', 'the last 5 minutes'],
  [900, '15 min', 'the last 15 minutes'],
  [3600, '1 h', 'the last hour'],
  [21_600, '6 h', 'the last 6 hours'],
  [86_400, '1 d', 'the last day'],
] as const

export const windowInWords = (windowS: number): string =>
  windows.find(([seconds]) => seconds === windowS)?.[2] ?? `the last ${windowS} s`

/** The one that was chosen last, from the first moment on. */
export const useWindow = () =>
  useLocalStorage<number>({ key: 'manc.window', defaultValue: 300, getInitialValueInEffect: false })

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
