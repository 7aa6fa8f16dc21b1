import {
  ActionIcon,
  Box,
  Button,
  CloseButton,
  Group,
  NumberInput,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { IconFocus2, IconMapPin, IconPlus } from '@tabler/icons-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { Loading } from '../ui/states.tsx'
import { defaultSpreadM, parsePosition, textOf } from './locations.ts'
import { kinds, type Problems, sketchOf, type Wish } from './request.ts'
import { Step } from './step.tsx'

const PickMap = lazy(async () => ({ default: (await import('../map/pick-map.tsx')).PickMap }))

const usual = kinds.map((kind) => `${kind} ${defaultSpreadM[kind]} m`).join(', ')

interface LocationsStepProps {
  wish: Wish
  onChange: (changed: Partial<Wish>) => void
  /** What is in the field and not yet a place. */
  typed: string
  onType: (text: string) => void
  problems: Problems
}

export function LocationsStep({ wish, onChange, typed, onType, problems }: LocationsStepProps) {
  const { places, spreadM } = wish
  const [look, setLook] = useState(0)
  const sketch = useMemo(() => sketchOf(wish), [wish])
  const pins = useMemo(
    () =>
      places.flatMap((text, index) => {
        const at = parsePosition(text)
        return at ? [{ ...at, label: text, index }] : []
      }),
    [places],
  )
  const add = (text: string) => {
    if (text.trim() === '' || places.includes(text.trim())) return
    onChange({ places: [...places, text.trim()] })
  }
  const remove = (index: number) => onChange({ places: places.filter((_, n) => n !== index) })
  return (
    <Step
      number={2}
      title="Locations"
      about="Click the map or enter a location. Access points are divided among the locations and spread around each."
    >
      <Box pos="relative" h={320} style={{ borderRadius: 6, overflow: 'hidden' }}>
        <Suspense fallback={<Loading what="map" />}>
          <PickMap
            label="Map: click to add a location, or move it with the arrow keys and press Enter to add its centre"
            glyphs={sketch}
            pins={pins}
            onPick={(at) => add(textOf(at))}
            onRemove={remove}
            look={look}
          />
        </Suspense>
        {pins.length > 0 && (
          <Button
            pos="absolute"
            bottom={8}
            right={8}
            mb={24}
            size="xs"
            variant="default"
            leftSection={<IconFocus2 size={14} />}
            onClick={() => setLook((n) => n + 1)}
          >
            Zoom to locations
          </Button>
        )}
      </Box>
      <TextInput
        label="Location"
        description="Name such as “Bristol, GB”, decimal degrees, or geo:51.45,-2.6"
        placeholder="Bristol, GB"
        value={typed}
        onChange={({ currentTarget }) => onType(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          add(typed)
          onType('')
        }}
        error={problems.fields['locations']}
        rightSection={
          <ActionIcon
            variant="default"
            aria-label="Add location"
            disabled={typed.trim() === ''}
            onClick={() => {
              add(typed)
              onType('')
            }}
          >
            <IconPlus size={16} />
          </ActionIcon>
        }
      />
      {places.length > 0 && (
        <Stack gap={4} role="list" aria-label="Locations">
          {places.map((text, index) => (
            <Group key={text} gap="sm" wrap="nowrap" role="listitem">
              <IconMapPin size={16} aria-hidden style={{ flex: 'none' }} />
              <Text size="sm" className="figures" truncate>
                {text}
              </Text>
              {problems.places[index] && (
                <Text size="sm" c="var(--mantine-color-error)" role="alert">
                  {problems.places[index]}
                </Text>
              )}
              <CloseButton size="sm" aria-label={`Remove ${text}`} onClick={() => remove(index)} />
            </Group>
          ))}
        </Stack>
      )}
      <NumberInput
        label="Spread"
        description={`Distance of access points from their location. Default if empty: ${usual}.`}
        placeholder="Default"
        suffix=" m"
        min={0}
        max={100_000}
        allowNegative={false}
        value={spreadM ?? ''}
        onChange={(value) => onChange({ spreadM: value === '' ? undefined : Number(value) })}
        error={problems.fields['spread_m']}
        maw={360}
      />
    </Step>
  )
}
