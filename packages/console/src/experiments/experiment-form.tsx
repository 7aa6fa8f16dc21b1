import type { Experiment, SteeringPolicyName } from '@manc/sdk'
import {
  Alert,
  Button,
  Group,
  MultiSelect,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  TextInput,
} from '@mantine/core'
import { useState } from 'react'
import { errorText } from '../ui/error-text.ts'
import { policyLabels, worldLabels } from './experiment-texts.ts'
import { useStartExperiment } from './use-experiments.ts'

const worlds = Object.entries(worldLabels).map(([value, label]) => ({
  value: value as keyof typeof worldLabels,
  label,
}))
const policies = Object.entries(policyLabels).map(([value, label]) => ({
  value: value as SteeringPolicyName,
  label,
}))

/** A comparison in a named world. Described worlds and own policies are for the command line and the interface. */
export function ExperimentForm({ onStarted }: { onStarted: (experiment: Experiment) => void }) {
  const [name, setName] = useState('')
  const [world, setWorld] = useState<keyof typeof worldLabels>('lecture_rush')
  const [chosen, setChosen] = useState<SteeringPolicyName[]>(['none', 'best-experience'])
  const [repetitions, setRepetitions] = useState<number | string>(5)
  const [seed, setSeed] = useState('run')
  const start = useStartExperiment(onStarted)
  const isComplete = name.trim() !== '' && chosen.length > 0 && seed !== '' && Number(repetitions) >= 1
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        start.mutate({
          name: name.trim(),
          world: { name: world },
          policies: chosen,
          repetitions: Number(repetitions),
          seed,
        })
      }}
    >
      <Stack gap="md">
        <TextInput
          label="Name"
          required
          maxLength={100}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Select
          label="World"
          data={worlds}
          value={world}
          allowDeselect={false}
          onChange={(value) => {
            if (value) setWorld(value)
          }}
        />
        <MultiSelect
          label="Policies"
          description="The first one is what the others are compared with."
          data={policies}
          value={chosen}
          onChange={(values) => setChosen(values)}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          <NumberInput
            label="Repetitions"
            description="Number of seeds. With more, intervals are narrower."
            min={1}
            max={30}
            allowDecimal={false}
            value={repetitions}
            onChange={setRepetitions}
          />
          <TextInput
            label="Seed"
            description="The same seed gives the same worlds."
            maxLength={64}
            value={seed}
            onChange={({ currentTarget }) => setSeed(currentTarget.value)}
          />
        </SimpleGrid>
        {start.isError && (
          <Alert color="red" role="alert">
            {errorText(start.error)}
          </Alert>
        )}
        <Group>
          <Button type="submit" disabled={!isComplete} loading={start.isPending}>
            Start experiment
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
