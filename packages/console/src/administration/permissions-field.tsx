import { Checkbox, NumberInput, Stack, TagsInput } from '@mantine/core'
import { type Permissions, scopeExplanations, scopeLabels, scopes } from './permissions.ts'

interface PermissionsFieldProps {
  value: Permissions
  onChange: (value: Permissions) => void
}

export function PermissionsField({ value, onChange }: PermissionsFieldProps) {
  return (
    <Stack gap="md">
      <Checkbox.Group
        label="Scopes"
        description="Choose only what the application needs."
        value={value.scopes}
        onChange={(chosen) => onChange({ ...value, scopes: chosen })}
      >
        <Stack gap="sm" mt="sm">
          {scopes.map((scope) => (
            <Checkbox
              key={scope}
              value={scope}
              label={scopeLabels[scope]}
              description={`${scopeExplanations[scope]} (${scope})`}
            />
          ))}
        </Stack>
      </Checkbox.Group>
      <TagsInput
        label="Access points"
        description="ID patterns, such as wifi-*; * alone is all access points. Empty: none."
        placeholder="Enter a pattern and press Enter"
        value={value.agents}
        onChange={(agents) => onChange({ ...value, agents })}
      />
      <Checkbox
        label="Sandbox"
        description="Of these access points only emulated ones, until the application works."
        checked={value.sandbox}
        onChange={({ currentTarget }) => onChange({ ...value, sandbox: currentTarget.checked })}
      />
      <NumberInput
        label="Priority"
        description="If two applications command the same access point, the one with the higher priority wins."
        min={-1000}
        max={1000}
        allowDecimal={false}
        value={value.priority}
        onChange={(priority) => onChange({ ...value, priority: Number(priority) || 0 })}
      />
    </Stack>
  )
}
