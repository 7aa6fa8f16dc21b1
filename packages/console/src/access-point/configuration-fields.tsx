import { type ConfigurationField, fieldProblem } from '@manc/contract/configuration-fields'
import { NumberInput, Select, SimpleGrid, TextInput } from '@mantine/core'
import type { Configuration } from './configuration-diff.ts'
import { fieldsOf, valueAt, withValue } from './configuration-form.ts'

interface ConfigurationFieldsProps {
  value: Configuration
  onChange: (value: Configuration) => void
  /** The default are those of the technology in the configuration. */
  fields?: readonly ConfigurationField[]
  /** In fields without a value. */
  placeholder?: string
}

/** The known settings as a form. All others stay as they are. */
export function ConfigurationFields({
  value,
  onChange,
  fields = fieldsOf(value),
  placeholder = 'Not set',
}: ConfigurationFieldsProps) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" role="group" aria-label="Settings">
      {fields.map((field) => (
        <Field
          key={field.path}
          field={field}
          placeholder={placeholder}
          value={valueAt(value, field.path)}
          onChange={(next) => onChange(withValue(value, field.path, next))}
        />
      ))}
    </SimpleGrid>
  )
}

interface FieldProps {
  field: ConfigurationField
  placeholder: string
  value: unknown
  onChange: (value: unknown) => void
}

function Field({ field, placeholder, value, onChange }: FieldProps) {
  const { kind, label, unit, description, maxLength } = field
  const shared = {
    label: unit ? `${label} (${unit})` : label,
    description: description ?? rangeOf(field),
    error: fieldProblem(field, value),
    placeholder,
  }
  if (kind === 'choice') {
    const choices = field.choices ?? []
    const text = textOf(value)
    const known = choices.map(String)
    return (
      <Select
        {...shared}
        // A value that is not among the choices is shown with its error.
        data={text === null || known.includes(text) ? known : [text, ...known]}
        value={text}
        onChange={(next) => onChange(choices.find((each) => String(each) === next))}
        clearable
      />
    )
  }
  if (kind === 'number')
    return (
      <NumberInput
        {...shared}
        value={typeof value === 'number' || typeof value === 'string' ? value : ''}
        onChange={(next) => onChange(next === '' ? undefined : next)}
        allowDecimal={!field.isInteger}
        decimalScale={6}
        hideControls
      />
    )
  return (
    <TextInput
      {...shared}
      value={typeof value === 'string' ? value : ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? undefined : currentTarget.value)}
      {...(maxLength !== undefined && { maxLength })}
    />
  )
}

const textOf = (value: unknown): string | null => {
  if (value === undefined) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const rangeOf = ({ min, max }: ConfigurationField): string | undefined =>
  min === undefined || max === undefined ? undefined : `${min} to ${max}`
