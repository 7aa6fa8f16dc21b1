import { TextInput, type TextInputProps } from '@mantine/core'
import { parseDateTime, timeZoneName } from './time.ts'

interface TimeFieldProps extends Pick<TextInputProps, 'size' | 'w' | 'error'> {
  label: string
  value: string
  onChange: (text: string) => void
}

/**
 * A date and time as text, since the format of the browser's own field depends on the language of the browser. An empty
 * field is valid.
 */
export function TimeField({ label, value, onChange, error, ...rest }: TimeFieldProps) {
  const isInvalid = value.trim() !== '' && parseDateTime(value) === undefined
  return (
    <TextInput
      {...rest}
      label={`${label} (${timeZoneName()})`}
      placeholder="2026-11-16 09:27:04"
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      error={isInvalid ? 'Enter YYYY-MM-DD hh:mm:ss.' : error}
    />
  )
}
