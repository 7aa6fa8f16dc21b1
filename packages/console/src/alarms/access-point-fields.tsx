import type { Technology } from '@manc/sdk'
import { Checkbox, Group, TagsInput } from '@mantine/core'
import { technologies } from '../ui/theme.ts'

interface AccessPointScope {
  technologies: Technology[]
  ap_ids: string[]
}

interface AccessPointFieldsProps {
  value: AccessPointScope
  errors: Partial<Record<keyof AccessPointScope, string>>
  onChange: (changes: Partial<AccessPointScope>) => void
}

/** The access points that a rule, a silence or a route is about. */
export function AccessPointFields({ value, errors, onChange }: AccessPointFieldsProps) {
  return (
    <>
      <Checkbox.Group
        label="Technologies"
        description="None selected: all."
        value={value.technologies}
        onChange={(names) => onChange({ technologies: technologies.filter((each) => names.includes(each)) })}
        error={errors.technologies}
      >
        <Group gap="md" pt={6}>
          {technologies.map((technology) => (
            <Checkbox key={technology} size="xs" value={technology} label={technology} />
          ))}
        </Group>
      </Checkbox.Group>
      <TagsInput
        label="IDs of access points"
        description="Press Enter after each; * matches any characters. Empty: all."
        placeholder={value.ap_ids.length === 0 ? 'lab-*' : ''}
        maxTags={100}
        value={value.ap_ids}
        onChange={(ids) => onChange({ ap_ids: ids })}
        error={errors.ap_ids}
      />
    </>
  )
}
