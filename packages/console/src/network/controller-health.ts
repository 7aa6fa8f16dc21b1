import { type SystemHealth, type SystemPart, Unavailable } from '@manc/sdk'
import { useQuery } from '@tanstack/react-query'
import { useManc } from '../app/session.tsx'

/** Without the database every token is refused. Then only the public state of the engines is left. */
async function readEngines(signal: AbortSignal): Promise<SystemHealth> {
  const response = await fetch('/readyz', { signal })
  const { engines } = (await response.json()) as { engines: Record<string, 'up' | 'down'> }
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
  const isGood = parts.every(({ state }) => state === 'good')
  return { state: isGood ? 'good' : 'bad', parts, processes: [], as_of: new Date().toISOString() }
}

/** The health of the controller itself. For operators and administrators. */
export function useControllerHealth(isEnabled: boolean) {
  const manc = useManc()
  return useQuery({
    queryKey: ['controller-health'],
    queryFn: async ({ signal }) => {
      try {
        return await manc.system.health({ signal })
      } catch (error) {
        if (error instanceof Unavailable) return readEngines(signal)
        throw error
      }
    },
    enabled: isEnabled,
    refetchInterval: 10_000,
  })
}
