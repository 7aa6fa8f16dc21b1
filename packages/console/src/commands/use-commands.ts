import type { JobState } from '@manc/sdk'
import { JobFailed } from '@manc/sdk'
import { useEffect, useRef, useState } from 'react'
import { useManc } from '../app/session.tsx'
import { errorText } from '../ui/error-text.ts'

export interface SentCommand {
  /** The job of the command, once the controller has accepted it. */
  jobNumber: string | undefined
  key: number
  command: string
  seen: { state: JobState; atMs: number }[]
  isEnded: boolean
  /** What failed and what to do. */
  problem: string | undefined
  result: unknown
}

/** Commands sent to one access point since its page was opened, newest first, with their live progress. */
export function useCommands(apId: string) {
  const manc = useManc()
  const [sent, setSent] = useState<SentCommand[]>([])
  const unmounted = useRef(new AbortController())
  useEffect(() => {
    unmounted.current = new AbortController()
    return () => unmounted.current.abort()
  }, [])

  const send = async (command: string) => {
    const key = Date.now()
    const { signal } = unmounted.current
    const change = (update: (current: SentCommand) => Partial<SentCommand>) =>
      setSent((all) => all.map((each) => (each.key === key ? { ...each, ...update(each) } : each)))
    const addState = (state: JobState) =>
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
      addState('queued')
      for await (const { state, result } of job) {
        addState(state)
        change(() => ({ result }))
      }
      change(() => ({ isEnded: true }))
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof JobFailed) addState(error.state as JobState)
      change(() => ({ isEnded: true, problem: errorText(error) }))
    }
  }
  return { sent, send: (command: string) => void send(command) }
}
