/**
 * An application that reports access points with a high load. Replace `highLoads` with what yours does.
 * Scopes: agents:read and metrics:read.
 */
import { Manc } from '@manc/sdk'

/** The limit of one subscription. */
const maxWatched = 256

export interface HighLoad {
  apId: string
  loadPct: number
}

/** Each access point once when its load rises above the limit, and again after it was below. */
export async function* highLoads(
  manc: Manc,
  { abovePct = 80, signal }: { abovePct?: number; signal: AbortSignal },
): AsyncGenerator<HighLoad> {
  const ids: string[] = []
  // Emulated access points of others are listed only on request.
  for await (const { ap_id: id } of manc.fleet.agents({ state: ['online'], emulated: 'all', signal }))
    if (ids.length < maxWatched) ids.push(id)
  if (ids.length === 0)
    throw new Error(
      'No access point is online. Start some, for example with npm run demo, and start this again.',
    )
  const high = new Set<string>()
  for await (const { agent_id: apId, values } of manc.telemetry.watch(ids, { signal })) {
    const loadPct = Number(values['load_pct'])
    if (loadPct <= abovePct) high.delete(apId)
    if (!(loadPct > abovePct) || high.has(apId)) continue
    high.add(apId)
    yield { apId, loadPct }
  }
}

async function main(): Promise<void> {
  const { MANC_URL: url = '', MANC_APP: username = '', MANC_KEY: password = '' } = process.env
  if (!url || !username || !password)
    throw new Error(
      'MANC_URL, MANC_APP or MANC_KEY is not set. Set the address of the controller, and the name and the API key of a registered application.',
    )
  const stop = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort())
  const manc = new Manc({ url, credentials: { loginType: 'third_party_app', username, password } })
  try {
    for await (const { apId, loadPct } of highLoads(manc, { signal: stop.signal }))
      process.stdout.write(`${new Date().toISOString()} ${apId} is at ${loadPct} %\n`)
  } catch (error) {
    if (!stop.signal.aborted) throw error
  }
}

if (import.meta.main)
  main().catch((error: unknown) => {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exitCode = 1
  })
