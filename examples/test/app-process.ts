import { spawn } from 'node:child_process'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type IsolatedEnvironment, uniqueName } from '@manc/harness'
import type { EmulatorSpec, Manc } from '@manc/sdk'

/** An example as people start it, with these settings only. */
export function run(example: string, settings: Record<string, string>, ...args: string[]) {
  const file = path.join(import.meta.dirname, '..', example)
  const child = spawn(process.execPath, [file, ...args], { env: { PATH: process.env['PATH'], ...settings } })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { child, ended, output: () => text }
}

export type RunningApp = ReturnType<typeof run>

/** Registers an app that may see these agents alone, and returns the settings of an example. */
export async function registerApp(
  manc: Manc,
  { url }: IsolatedEnvironment,
  { scopes, agents }: { scopes: string[]; agents: string[] },
): Promise<Record<string, string>> {
  const name = uniqueName('example')
  const permissions = { scopes, agents, sandbox: true }
  await manc.apps.register({ app_name: name, api_key: 'a-long-key', permissions })
  return { MANC_URL: url, MANC_APP: name, MANC_KEY: 'a-long-key' }
}

/** An emulation with all of its agents live, and online in the fleet: their first samples are stored. */
export async function emulate(manc: Manc, network: EmulatorSpec[]): Promise<string[]> {
  const emulation = await manc.emulator.spinUp(network)
  const { agents: ids } = emulation
  for await (const { live } of emulation) if (live === ids.length) break
  const online = { ids, state: ['online'], emulated: 'all' } as const
  while ((await Array.fromAsync(manc.fleet.agents(online))).length < ids.length) await sleep(200)
  return ids
}

/** Patterns that match all agents of an emulation, and no others. */
export const patternsOf = ([first = '']: readonly string[]): string[] =>
  ['5g', 'wifi', 'lifi'].map((technology) => `emu-${technology}-${first.split('-')[2]}-*`)
