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
import { defaultSpreadM, formatPosition, parsePosition } from './locations.ts'
import { type EmulationRequest, emulatedTechnologies, type FormErrors, sketchOf } from './request.ts'
import { Step } from './step.tsx'

const PickMap = lazy(async () => ({ default: (await import('../map/pick-map.tsx')).PickMap }))

const defaults = emulatedTechnologies
  .map((technology) => `${technology} ${defaultSpreadM[technology]} m`)
  .join(', ')

interface LocationsStepProps {
  request: EmulationRequest
  onChange: (changes: Partial<EmulationRequest>) => void
  /** The text in the field that is not added yet. */
  typed: string
  onType: (text: string) => void
  errors: FormErrors
}

export function LocationsStep({ request, onChange, typed, onType, errors }: LocationsStepProps) {
  const { locations, spreadM } = request
  const [zoomCount, setZoomCount] = useState(0)
  const preview = useMemo(() => sketchOf(request), [request])
  const pins = useMemo(
    () =>
      locations.flatMap((text, index) => {
        const position = parsePosition(text)
        return position ? [{ ...position, label: text, index }] : []
      }),
    [locations],
  )
  const add = (text: string) => {
    if (text.trim() === '' || locations.includes(text.trim())) return
    onChange({ locations: [...locations, text.trim()] })
  }
  const remove = (index: number) => onChange({ locations: locations.filter((_, n) => n !== index) })
  return (
    <Step
      number={1}
      title="Locations"
      about="Click the map or enter a location. Access points are divided among the locations and spread around each."
    >
      <Box pos="relative" h={320} style={{ borderRadius: 6, overflow: 'hidden' }}>
        <Suspense fallback={<Loading what="map" />}>
          <PickMap
            label="Map: click to add a location, or move it with the arrow keys and press Enter to add its centre"
            glyphs={preview}
            pins={pins}
            onPick={(position) => add(formatPosition(position))}
            onRemove={remove}
            zoomCount={zoomCount}
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
            onClick={() => setZoomCount((n) => n + 1)}
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
        error={errors.fields['locations']}
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
      {locations.length > 0 && (
        <Stack gap={4} role="list" aria-label="Locations">
          {locations.map((text, index) => (
            <Group key={text} gap="sm" wrap="nowrap" role="listitem">
              <IconMapPin size={16} aria-hidden style={{ flex: 'none' }} />
              <Text size="sm" className="figures" truncate>
                {text}
              </Text>
              {errors.locations[index] && (
                <Text size="sm" c="var(--mantine-color-error)" role="alert">
                  {errors.locations[index]}
                </Text>
              )}
              <CloseButton size="sm" aria-label={`Remove ${text}`} onClick={() => remove(index)} />
            </Group>
          ))}
        </Stack>
      )}
      <NumberInput
        label="Spread"
        description={`Distance of access points from their location. Default if empty: ${defaults}.`}
        placeholder="Default"
        suffix=" m"
        min={0}
        max={100_000}
        allowNegative={false}
        value={spreadM ?? ''}
        onChange={(value) => onChange({ spreadM: value === '' ? undefined : Number(value) })}
        error={errors.fields['spread_m']}
        maw={360}
      />
    </Step>
  )
}
