import './emulate.css'
import { Invalid, type JobKind, TooManyRequests } from '@manc/sdk'
import { Anchor, Box, Button, Group, Stack, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { useManc } from '../app/session.tsx'
import { formatNumber } from '../format/number.ts'
import { startReading } from '../jobs/job-readers.ts'
import { isEnded } from '../jobs/job-texts.ts'
import { useJobs } from '../jobs/use-jobs.ts'
import { errorText } from '../ui/error-text.ts'
import { Age, Failure, Loading } from '../ui/states.tsx'
import { AccessPointsStep } from './access-points-step.tsx'
import { EmulationCard } from './emulation-card.tsx'
import { LocationsStep } from './locations-step.tsx'
import { OtherEmulations } from './other-emulations.tsx'
import { defaultRequest, type EmulationRequest, type FormErrors, formErrorsIn, specsOf } from './request.ts'
import { ScenarioStep } from './scenario-step.tsx'
import { storeRequest } from './stored-requests.ts'
import { Summary } from './summary.tsx'

const kind: JobKind[] = ['emulator_spinup']
const maxJobs = 100
const maxFinished = 5
/** More are shown on request: the form and its map stay in view. */
const maxRunning = 1
const noErrors: FormErrors = { locations: {}, fields: {}, others: [] }

/** Starts emulations and shows their progress. */
export function Emulate() {
  const formElement = useRef<HTMLFormElement>(null)
  const jobs = useJobs(maxJobs, { kind })
  // Also those that are older than the newest ones.
  const unfinished = useJobs(maxJobs, { kind, state: ['queued', 'running'] })
  const form = useEmulationForm()
  const [isAllShown, setAllShown] = useState(false)
  const all = jobs.data ?? []
  const listed = new Set(all.map(({ job_number: number }) => number))
  const older = unfinished.data?.filter(({ job_number: number }) => !listed.has(number)) ?? []
  const running = [...all.filter((job) => !isEnded(job)), ...older]
  const finished = all.filter(isEnded).slice(0, maxFinished)
  const repeat = (request: EmulationRequest) => {
    form.change(request)
    notifications.show({
      message: 'The form now contains this request with the same seed. Edit it or start it.',
    })
    formElement.current?.scrollIntoView({ behavior: 'smooth' })
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
            {running.slice(0, isAllShown ? Infinity : maxRunning).map((job) => (
              <EmulationCard
                key={job.job_number}
                job={job}
                isNew={job.job_number === form.startedJob}
                onRepeat={repeat}
              />
            ))}
            {running.length > maxRunning && !isAllShown && (
              <Button variant="default" size="xs" onClick={() => setAllShown(true)} w="fit-content">
                Show {formatNumber(running.length - maxRunning)} more running
              </Button>
            )}
          </Stack>
        )}
        <form
          ref={formElement}
          onSubmit={(event) => void form.submit(event)}
          noValidate
          style={{ scrollMarginTop: 60 }}
        >
          <div className="emulate">
            <Stack gap="lg">
              {/* First, so that the map is in view. */}
              <LocationsStep
                request={form.request}
                onChange={form.change}
                typed={form.typed}
                onType={form.setTyped}
                errors={form.errors}
              />
              <AccessPointsStep
                request={form.request}
                onChange={(counts) => form.change({ counts })}
                error={form.errors.fields['num_access_points']}
              />
              <ScenarioStep request={form.request} onChange={form.change} errors={form.errors} />
            </Stack>
            <Summary request={form.request} isBusy={form.isBusy} error={form.requestError} />
          </div>
        </form>
        {finished.length > 0 && (
          <Stack gap="md" component="section" aria-label="Finished">
            <Group justify="space-between">
              <Title order={2} size="h5">
                Finished
              </Title>
              <Anchor component={Link} to="/jobs" size="sm">
                Show all jobs
              </Anchor>
            </Group>
            {finished.map((job) => (
              <EmulationCard key={job.job_number} job={job} isNew={false} onRepeat={repeat} />
            ))}
          </Stack>
        )}
        {jobs.isPending && <Loading what="emulations" />}
        <OtherEmulations />
        {jobs.data?.length === 0 && (
          <Text size="sm" c="dimmed">
            No emulations yet. Emulations that you start are listed here.
          </Text>
        )}
      </Stack>
    </Box>
  )
}

interface RequestError {
  title: string
  text: string
}

/** The form, its submission and its errors. */
function useEmulationForm() {
  const manc = useManc()
  const queryClient = useQueryClient()
  const [request, setRequest] = useState<EmulationRequest>(defaultRequest)
  const [typed, setTyped] = useState('')
  const [errors, setErrors] = useState(noErrors)
  const [requestError, setRequestError] = useState<RequestError>()
  const [isBusy, setBusy] = useState(false)
  const [startedJob, setStartedJob] = useState<string>()
  const change = (changes: Partial<EmulationRequest>) => {
    setRequest((previous) => ({ ...previous, ...changes }))
    setErrors(noErrors)
    setRequestError(undefined)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    // A location that is typed but not added yet is included.
    const locations =
      typed.trim() === '' ? request.locations : [...new Set([...request.locations, typed.trim()])]
    change({ locations })
    setTyped('')
    if (locations.length === 0) {
      setErrors({ ...noErrors, fields: { locations: 'Click the map or enter a location.' } })
      return setRequestError({ title: 'No location', text: 'Add at least one location.' })
    }
    setBusy(true)
    try {
      const specs = specsOf({ ...request, locations })
      const { jobNumber, endsAt, detail } = await manc.emulator.spinUp(specs)
      if (detail !== undefined) notifications.show({ title: 'Shorter than requested', message: detail })
      const lengthS = endsAt ? Math.round((endsAt.getTime() - Date.now()) / 1000) : Infinity
      storeRequest(
        jobNumber,
        specs.map((spec) => ({ ...spec, duration: Math.min(spec.duration, lengthS) })),
      )
      startReading(manc, jobNumber)
      setStartedJob(jobNumber)
      await queryClient.invalidateQueries({ queryKey: ['jobs'] })
      window.scrollTo({ top: 0, behavior: 'smooth' })
    } catch (error) {
      if (error instanceof Invalid) setErrors(formErrorsIn(error.items))
      setRequestError(requestErrorOf(error))
    } finally {
      setBusy(false)
    }
  }
  return { request, change, typed, setTyped, errors, requestError, isBusy, startedJob, submit }
}

function requestErrorOf(error: unknown): RequestError {
  if (error instanceof Invalid) {
    const { others } = formErrorsIn(error.items)
    return {
      title: 'Invalid request',
      text: others.join(' ') || 'Correct the fields marked in red.',
    }
  }
  if (error instanceof TooManyRequests) return { title: 'Limit reached', text: error.detail }
  return { title: 'Request failed', text: errorText(error) }
}
