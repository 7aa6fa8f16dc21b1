import { Button, Chip, Group, Stack, Text, Textarea } from '@mantine/core'
import { EmulatedField } from '../fleet/emulated-field.tsx'
import { formatCount } from '../format/number.ts'
import { AreaField } from '../jobs/area-field.tsx'
import { technologies } from '../ui/theme.ts'
import type { RolloutDraft } from './rollout-draft.ts'

interface RolloutRecipientsProps {
  draft: RolloutDraft
  change: (part: Partial<RolloutDraft>) => void
}

/** The access points of a rollout: those that were selected in the table, or filters. */
export function RolloutRecipients({ draft, change }: RolloutRecipientsProps) {
  const { selected, technology, areaText, idText, emulated } = draft
  return (
    <Stack gap="sm">
      <Text size="sm" fw={600}>
        Access points
      </Text>
      <Chip.Group
        value={technology ?? ''}
        onChange={(value) => change({ technology: value === '' ? undefined : value })}
      >
        <Group gap={6} role="group" aria-label="Technology">
          <Chip size="sm" variant="outline" value="">
            Any technology
          </Chip>
          {technologies.map((each) => (
            <Chip key={each} size="sm" variant="outline" value={each}>
              {each}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      {selected ? (
        <Group gap="sm">
          <Text size="sm" className="figures">
            {formatCount(selected.length, 'selected access point')}: {listOf(selected)}
          </Text>
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => change({ selected: undefined, idText: selected.join(', ') })}
          >
            Edit selection
          </Button>
        </Group>
      ) : (
        <>
          <AreaField
            text={areaText}
            onChange={(text) => change({ areaText: text })}
            technology={technology}
            emulated={emulated}
          />
          <Textarea
            label="IDs"
            description="Separated by commas, spaces or line breaks. Empty: any."
            autosize
            minRows={2}
            maxRows={6}
            value={idText}
            onChange={({ currentTarget }) => change({ idText: currentTarget.value })}
          />
          {idText.trim() === '' && (
            <EmulatedField value={emulated} onChange={(value) => change({ emulated: value })} />
          )}
        </>
      )}
    </Stack>
  )
}

const maxListed = 5

function listOf(ids: readonly string[]): string {
  const shown = ids.slice(0, maxListed).join(', ')
  return ids.length > maxListed ? `${shown} and ${ids.length - maxListed} more` : shown
}
