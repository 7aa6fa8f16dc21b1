import { Radio, Stack, TagsInput } from '@mantine/core'
import { type Rank, ranks, rankWords } from './roles.ts'

interface RolesFieldProps {
  rank: Rank
  labels: string[]
  onRank: (rank: Rank) => void
  onLabels: (labels: string[]) => void
}

export function RolesField({ rank, labels, onRank, onLabels }: RolesFieldProps) {
  return (
    <Stack gap="md">
      <Radio.Group label="Role" value={rank} onChange={onRank}>
        <Stack gap="sm" mt="sm">
          {ranks.map((each) => (
            <Radio
              key={each}
              value={each}
              label={rankWords[each].label}
              description={rankWords[each].about}
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
