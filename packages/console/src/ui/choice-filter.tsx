import { MultiSelect } from '@mantine/core'

interface ChoiceFilterProps<Name extends string> {
  label: string
  data: readonly Name[]
  value: readonly Name[]
  onChange: (values: Name[]) => void
}

/** A filter of a table by some of a few values. */
export function ChoiceFilter<Name extends string>({ label, data, value, onChange }: ChoiceFilterProps<Name>) {
  return (
    <MultiSelect
      size="xs"
      aria-label={label}
      placeholder={value.length === 0 ? `${label}: any` : ''}
      data={[...data]}
      value={[...value]}
      onChange={(values) => onChange(data.filter((each) => values.includes(each)))}
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
      w={value.length > 1 ? 210 : 150}
    />
  )
}
