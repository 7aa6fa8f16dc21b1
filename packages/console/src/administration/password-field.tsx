import { Button, Group, PasswordInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { newSecret } from './new-secret.ts'

interface PasswordFieldProps {
  label: string
  value: string
  /** `isMade`: by us, so nobody has seen it but on this page. */
  onChange: (value: string, isMade: boolean) => void
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
        onChange={({ currentTarget }) => onChange(currentTarget.value, false)}
        visible={isVisible}
        onVisibilityChange={toggle}
        error={error}
      />
      <Button
        variant="default"
        onClick={() => {
          onChange(newSecret(), true)
          open()
        }}
      >
        Generate
      </Button>
    </Group>
  )
}
