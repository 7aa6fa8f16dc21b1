import type { JobState } from '@manc/sdk'
import { JobFailed } from '@manc/sdk'
import { useEffect, useRef, useState } from 'react'
import { useManc } from '../app/session.tsx'
import { errorText } from '../ui/error-text.ts'

export interface SentCommand {
  /** Its job, once the controller has taken it. */
  jobNumber: string | undefined
  key: number
  command: string
  seen: { state: JobState; atMs: number }[]
  isEnded: boolean
  /** What went wrong, and what to do. */
  problem: string | undefined
  result: unknown
}

/** Commands of this visit to one access point, the newest first, with what becomes of each as it happens. */
export function useCommands(apId: string) {
  const manc = useManc()
  const [sent, setSent] = useState<SentCommand[]>([])
  const gone = useRef(new AbortController())
  useEffect(() => {
    gone.current = new AbortController()
    return () => gone.current.abort()
  }, [])

  const send = async (command: string) => {
    const key = Date.now()
    const { signal } = gone.current
    const change = (how: (known: SentCommand) => Partial<SentCommand>) =>
      setSent((all) => all.map((each) => (each.key === key ? { ...each, ...how(each) } : each)))
    const saw = (state: JobState) =>
      change(({ seen }) =>
        seen.some((each) => each.state === state) ? {} : { seen: [...seen, { state, atMs: Date.now() }] },
      )
    setSent((all) => [
      {
        key,
        command,
        jobNumber: undefined,
        seen: [],
        isEnded: false,
        problem: undefined,
        result: undefined,
      },
      ...all,
    ])
    try {
      const job = await manc.commands.send(apId, command, { signal })
      change(() => ({ jobNumber: job.jobNumber }))
      saw('queued')
      for await (const { state, result } of job) {
        saw(state)
        change(() => ({ result }))
      }
      change(() => ({ isEnded: true }))
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof JobFailed) saw(error.state as JobState)
      change(() => ({ isEnded: true, problem: errorText(error) }))
    }
  }
  return { sent, send: (command: string) => void send(command) }
}
