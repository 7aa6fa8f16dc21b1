import type { Experiment, FleetAgent, Manc } from '@manc/sdk'
import { useMutation } from '@tanstack/react-query'
import { boxAround, nearest } from '../access-point/distance.ts'
import { useManc } from '../app/session.tsx'

/** Clients of access points that are farther away hardly change. 5G reaches farther than this, but over few access points. */
const radiiM = [500, 200, 80, 30]
/** More would take minutes to simulate. */
const maxAccessPoints = 60

interface Asked {
  agent: FleetAgent
  command: string
  /** The answer is not awaited any more. */
  isClosed: { current: boolean }
}

/** Simulates the access point and those around it, with and without a command. */
export function useWhatIf({ agent, command, isClosed }: Asked) {
  const manc = useManc()
  return useMutation({
    mutationFn: async (): Promise<Experiment> =>
      manc.experiments.whatIf({
        agents: [...new Set([agent.ap_id, ...targetOf(command), ...(await around(manc, agent))])],
        command: { ap_id: agent.ap_id, command },
      }),
    // Otherwise it would run to its end, as one of the few that a user may have.
    onSuccess: async ({ id }) => {
      if (isClosed.current) await manc.experiments.cancel(id)
    },
  })
}

/** Where `steer_client <ap_id> <count>` sends clients, however far that is. */
function targetOf(command: string): string[] {
  const [, target] = /^\s*steer_client\s+(\S+)/i.exec(command) ?? []
  return target === undefined || /^\d+$/.test(target) ? [] : [target]
}

/** The nearest ones, of an area that is made smaller until it has few enough to read. */
async function around(manc: Manc, { ap_id: apId, position }: FleetAgent): Promise<string[]> {
  if (!position) return []
  let found: FleetAgent[] = []
  for (const radiusM of radiiM) {
    found = []
    const pageSize = 2 * maxAccessPoints
    // Also those that others emulate: they are neighbours in the same emulation.
    for await (const agent of manc.fleet.agents({
      area: boxAround(position, radiusM),
      pageSize,
      emulated: 'all',
    }))
      if (found.push(agent) > pageSize) break
    if (found.length <= pageSize) break
  }
  return nearest(found, apId, position, maxAccessPoints - 1).map(({ agent }) => agent.ap_id)
}
