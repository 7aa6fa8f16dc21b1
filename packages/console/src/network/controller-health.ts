import {
  type Manc,
  NotAllowed,
  NotLoggedIn,
  SessionEnded,
  type SystemHealth,
  type SystemPart,
} from '@manc/sdk'
import { useQuery } from '@tanstack/react-query'
import { useManc } from '../app/session.tsx'
import { errorText } from '../ui/error-text.ts'

/** What is shown of the controller, also while its health cannot be read. */
export interface ControllerHealth extends Pick<SystemHealth, 'parts' | 'processes'> {
  state: SystemPart['state'] | 'not reachable'
}

const readIntervalMs = 10_000
/** A request that takes longer leaves an old state on the page. */
const readTimeoutMs = 10_000
const engineTimeoutMs = 5000

/**
 * The health; without it, the public state of the engines, since every token is refused without the database; without that,
 * why there is none. Fails only for reasons of the session.
 */
export async function readControllerHealth(
  manc: Pick<Manc, 'system'>,
  url: string,
  signal: AbortSignal,
): Promise<ControllerHealth> {
  try {
    return await manc.system.health({ signal: within(readTimeoutMs, signal) })
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof NotLoggedIn || error instanceof SessionEnded || error instanceof NotAllowed)
      throw error
    return readEngines(url, signal)
  }
}

async function readEngines(url: string, signal: AbortSignal): Promise<ControllerHealth> {
  let text: string
  try {
    const response = await fetch(`${url}/readyz`, { signal: within(engineTimeoutMs, signal) })
    text = await response.text()
  } catch {
    signal.throwIfAborted()
    return notReachable
  }
  const engines = enginesOf(text)
  if (!engines) return noProcess
  const parts = Object.entries(engines).map(([name, state]): SystemPart => {
    const isUp = state === 'up'
    return {
      id: name,
      name,
      state: isUp ? 'good' : 'bad',
      reason: isUp ? 'It answers.' : 'It does not answer.',
      next_step: isUp ? null : 'Check that it runs, and that the controller reaches it.',
      runbook: isUp ? null : 'docs/operations/runbooks/MancEngineDown.md',
      since: null,
      figures: {},
    }
  })
  const isBad = parts.some(({ state }) => state === 'bad')
  return { state: isBad ? 'bad' : 'unknown', parts: [...parts, otherParts], processes: [] }
}

const within = (ms: number, signal: AbortSignal): AbortSignal =>
  AbortSignal.any([signal, AbortSignal.timeout(ms)])

/** Undefined if the text is not from the controller but, for example, from a proxy without a server. */
function enginesOf(text: string): Record<string, string> | undefined {
  try {
    const { engines } = JSON.parse(text) as { engines?: Record<string, string> }
    return typeof engines === 'object' ? engines : undefined
  } catch {
    return undefined
  }
}

const partOf = (part: Pick<SystemPart, 'id' | 'name' | 'state' | 'reason' | 'next_step'>): SystemPart => ({
  ...part,
  runbook: null,
  since: null,
  figures: {},
})

const otherParts = partOf({
  id: 'others',
  name: 'Other parts',
  state: 'unknown',
  reason: 'Only the engines could be read.',
  next_step: 'Check the log of the api processes if this lasts.',
})
const noProcess: ControllerHealth = {
  state: 'bad',
  parts: [
    partOf({
      id: 'api',
      name: 'Controller',
      state: 'bad',
      reason: 'No api process is ready.',
      next_step: 'Check PostgreSQL and the api processes.',
    }),
  ],
  processes: [],
}
const notReachable: ControllerHealth = {
  state: 'not reachable',
  parts: [
    partOf({
      id: 'api',
      name: 'Controller',
      state: 'bad',
      reason: 'It does not answer.',
      next_step: 'Check your network, then the proxy and the api processes.',
    }),
  ],
  processes: [],
}

/** The health of the controller itself. For operators and administrators. Never an old one after an error. */
export function useControllerHealth(isEnabled: boolean): ControllerHealth | undefined {
  const manc = useManc()
  const { data, error } = useQuery({
    queryKey: ['controller-health'],
    queryFn: ({ signal }) => readControllerHealth(manc, location.origin, signal),
    enabled: isEnabled,
    refetchInterval: readIntervalMs,
    // It succeeds without an answer of the controller too.
    meta: { isLocal: true },
  })
  if (!error) return data
  const part = partOf({
    id: 'health',
    name: 'Health',
    state: 'unknown',
    reason: errorText(error),
    next_step: null,
  })
  return { state: 'unknown', parts: [part], processes: [] }
}
