import { MultiSelect } from '@mantine/core'
import { useAlarmRules } from './use-alarms.ts'

interface RulesFieldProps {
  value: string[]
  onChange: (ruleIds: string[]) => void
  max: number
  error?: string | undefined
}

export function RulesField({ value, onChange, max, error }: RulesFieldProps) {
  const rules = useAlarmRules()
  return (
    <MultiSelect
      label="Rules"
      description="None selected: all."
      searchable
      maxValues={max}
      nothingFoundMessage={rules.isPending ? 'Loading rules…' : 'No matches'}
      data={(rules.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      value={value}
      onChange={onChange}
      error={error ?? (rules.isError && 'The rules could not be read. Close the dialog and try again.')}
    />
  )
}
