import './emulate.css'
import { Invalid, type JobKind, TooManyRequests } from '@manc/sdk'
import { Anchor, Box, Group, Stack, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { useManc } from '../app/session.tsx'
import { startReading } from '../jobs/job-readers.ts'
import { isEnded } from '../jobs/job-texts.ts'
import { useJobs } from '../jobs/use-jobs.ts'
import { errorText } from '../ui/error-text.ts'
import { Age, Failure } from '../ui/states.tsx'
import { AccessPointsStep } from './access-points-step.tsx'
import { EmulationCard } from './emulation-card.tsx'
import { LocationsStep } from './locations-step.tsx'
import { defaultRequest, type Problems, problemsIn, specsOf, type Wish } from './request.ts'
import { ScenarioStep } from './scenario-step.tsx'
import { keep } from './stored-requests.ts'
import { Summary } from './summary.tsx'

const kind: JobKind[] = ['emulator_spinup']
const newest = 100
const earlierShown = 5
const noProblems: Problems = { places: {}, fields: {}, others: [] }

/** What would such a network be like? */
export function Emulate() {
  const form = useRef<HTMLFormElement>(null)
  const jobs = useJobs(newest, { kind })
  // Also those that began before all of these.
  const underWay = useJobs(newest, { kind, state: ['queued', 'running'] })
  const asking = useEmulationForm()
  const all = jobs.data ?? []
  const known = new Set(all.map(({ job_number: number }) => number))
  const older = underWay.data?.filter(({ job_number: number }) => !known.has(number)) ?? []
  const running = [...all.filter((job) => !isEnded(job)), ...older]
  const earlier = all.filter(isEnded).slice(0, earlierShown)
  const repeat = (wish: Wish) => {
    asking.change(wish)
    notifications.show({
      message: 'The form now contains this request with the same seed. Edit it or start it.',
    })
    form.current?.scrollIntoView({ behavior: 'smooth' })
  }
  return (
    <Box p="lg" maw={1280}>
      <Stack gap="lg">
        <Group justify="space-between" wrap="nowrap">
          <Title order={1} size="h4">
            Emulate
          </Title>
          <Age at={jobs.dataUpdatedAt} />
        </Group>
        {jobs.isError && !jobs.data && <Failure error={jobs.error} onRetry={() => void jobs.refetch()} />}
        {running.length > 0 && (
          <Stack gap="md" component="section" aria-label="Running">
            <Title order={2} size="h5">
              Running
            </Title>
            {running.map((job) => (
              <EmulationCard
                key={job.job_number}
                job={job}
                isNew={job.job_number === asking.begun}
                onRepeat={repeat}
              />
            ))}
          </Stack>
        )}
        <form
          ref={form}
          onSubmit={(event) => void asking.submit(event)}
          noValidate
          style={{ scrollMarginTop: 60 }}
        >
          <div className="emulate">
            <Stack gap="lg">
              <AccessPointsStep
                wish={asking.wish}
                onChange={(counts) => asking.change({ counts })}
                problem={asking.problems.fields['num_access_points']}
              />
              <LocationsStep
                wish={asking.wish}
                onChange={asking.change}
                typed={asking.typed}
                onType={asking.setTyped}
                problems={asking.problems}
              />
              <ScenarioStep wish={asking.wish} onChange={asking.change} problems={asking.problems} />
            </Stack>
            <Summary wish={asking.wish} isBusy={asking.isBusy} refusal={asking.refusal} />
          </div>
        </form>
        {earlier.length > 0 && (
          <Stack gap="md" component="section" aria-label="Finished">
            <Group justify="space-between">
              <Title order={2} size="h5">
                Finished
              </Title>
              <Anchor component={Link} to="/jobs" size="sm">
                Show all jobs
              </Anchor>
            </Group>
            {earlier.map((job) => (
              <EmulationCard key={job.job_number} job={job} isNew={false} onRepeat={repeat} />
            ))}
          </Stack>
        )}
        {jobs.data?.length === 0 && (
          <Text size="sm" c="dimmed">
            No emulations yet. Emulations that you start are listed here.
          </Text>
        )}
      </Stack>
    </Box>
  )
}

interface Refusal {
  title: string
  text: string
}

/** The request as it is put together, sent and refused. */
function useEmulationForm() {
  const manc = useManc()
  const queryClient = useQueryClient()
  const [wish, setWish] = useState<Wish>(defaultRequest)
  const [typed, setTyped] = useState('')
  const [problems, setProblems] = useState(noProblems)
  const [refusal, setRefusal] = useState<Refusal>()
  const [isBusy, setBusy] = useState(false)
  const [begun, setBegun] = useState<string>()
  const change = (changed: Partial<Wish>) => {
    setWish((before) => ({ ...before, ...changed }))
    setProblems(noProblems)
    setRefusal(undefined)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    // What was typed and not yet added was meant.
    const places = typed.trim() === '' ? wish.places : [...new Set([...wish.places, typed.trim()])]
    change({ places })
    setTyped('')
    if (places.length === 0) {
      setProblems({ ...noProblems, fields: { locations: 'Click the map or enter a location.' } })
      return setRefusal({ title: 'No location', text: 'Add at least one location.' })
    }
    setBusy(true)
    try {
      const specs = specsOf({ ...wish, places })
      const { jobNumber } = await manc.emulator.spinUp(specs)
      keep(jobNumber, specs)
      startReading(manc, jobNumber)
      setBegun(jobNumber)
      await queryClient.invalidateQueries({ queryKey: ['jobs'] })
      window.scrollTo({ top: 0, behavior: 'smooth' })
    } catch (error) {
      if (error instanceof Invalid) setProblems(problemsIn(error.items))
      setRefusal(refusalOf(error))
    } finally {
      setBusy(false)
    }
  }
  return { wish, change, typed, setTyped, problems, refusal, isBusy, begun, submit }
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Invalid) {
    const { others } = problemsIn(error.items)
    return {
      title: 'Invalid request',
      text: others.join(' ') || 'Correct the fields marked in red.',
    }
  }
  if (error instanceof TooManyRequests)
    return { title: 'Limit reached', text: `${error.detail} Or emulate fewer access points.` }
  return { title: 'Request failed', text: errorText(error) }
}
