import { Button, Group, PasswordInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { newSecret } from './new-secret.ts'

interface PasswordFieldProps {
  label: string
  value: string
  onChange: (value: string) => void
  error?: string | null
}

/** A password that somebody else will use: typed, or made here and shown. */
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
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        visible={isVisible}
        onVisibilityChange={toggle}
        error={error}
      />
      <Button
        variant="default"
        onClick={() => {
          onChange(newSecret())
          open()
        }}
      >
        Make one
      </Button>
    </Group>
  )
}
