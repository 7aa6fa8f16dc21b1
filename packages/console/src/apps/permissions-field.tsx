import { Checkbox, NumberInput, Stack, TagsInput } from '@mantine/core'
import { type Permissions, scopes, scopeWords } from './permissions.ts'

interface PermissionsFieldProps {
  value: Permissions
  onChange: (value: Permissions) => void
}

export function PermissionsField({ value, onChange }: PermissionsFieldProps) {
  return (
    <Stack gap="md">
      <Checkbox.Group
        label="May"
        value={value.scopes}
        onChange={(chosen) => onChange({ ...value, scopes: chosen })}
      >
        <Stack gap="sm" mt="sm">
          {scopes.map((scope) => (
            <Checkbox key={scope} value={scope} label={scopeWords[scope]} description={scope} />
          ))}
        </Stack>
      </Checkbox.Group>
      <TagsInput
        label="With these access points"
        description="Patterns of ids; a star stands for any characters. None: with none."
        placeholder="Press Enter after each"
        value={value.agents}
        onChange={(agents) => onChange({ ...value, agents })}
      />
      <NumberInput
        label="Priority"
        description="Of two applications that command the same access point, the higher one gets it."
        min={-1000}
        max={1000}
        allowDecimal={false}
        value={value.priority}
        onChange={(priority) => onChange({ ...value, priority: Number(priority) || 0 })}
      />
    </Stack>
  )
}
