import { Button, Group, PasswordInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { generateSecret } from './generate-secret.ts'

interface PasswordFieldProps {
  label: string
  value: string
  /** `isGenerated`: it has to be shown to be passed on. */
  onChange: (value: string, isGenerated: boolean) => void
  error?: string | null
}

/** The password of another user: typed, or generated and shown. */
export function PasswordField({ label, value, onChange, error }: PasswordFieldProps) {
  const [isVisible, { toggle, open }] = useDisclosure()
  return (
    <Group align="flex-end" gap="sm" wrap="nowrap">
      <PasswordInput
        style={{ flex: 1 }}
        label={label}
        autoComplete="new-password"
        required
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value, false)}
        visible={isVisible}
        onVisibilityChange={toggle}
        error={error}
      />
      <Button
        variant="default"
        onClick={() => {
          onChange(generateSecret(), true)
          open()
        }}
      >
        Generate
      </Button>
    </Group>
  )
}
