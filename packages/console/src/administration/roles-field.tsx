import { Radio, Stack, TagsInput } from '@mantine/core'
import { type Role, roleNames, roleTexts } from './roles.ts'

interface RolesFieldProps {
  role: Role
  labels: string[]
  onRole: (role: Role) => void
  onLabels: (labels: string[]) => void
}

export function RolesField({ role, labels, onRole, onLabels }: RolesFieldProps) {
  return (
    <Stack gap="md">
      <Radio.Group label="Role" value={role} onChange={onRole}>
        <Stack gap="sm" mt="sm">
          {roleNames.map((each) => (
            <Radio
              key={each}
              value={each}
              label={roleTexts[each].label}
              description={roleTexts[each].about}
            />
          ))}
        </Stack>
      </Radio.Group>
      <TagsInput
        label="Labels"
        description="Free text for your own use. Labels grant no permissions."
        placeholder="Enter a label and press Enter"
        maxTags={31}
        value={labels}
        onChange={onLabels}
      />
    </Stack>
  )
}
