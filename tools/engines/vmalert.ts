import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateDir, writePrivate } from './accounts.ts'
import { type Engine, launchCommand } from './engine.ts'
import { EngineError } from './engine-error.ts'
import type { SetState } from './state.ts'

/** Where the controller writes the rules (MANC_VMALERT_RULES_PATH). Version 1.79 cannot read them from a URL. */
export const rulesFileOf = ({ dataDir }: SetState): string => join(dataDir, 'vmalert', 'rules.yml')

/** Some versions refuse to start without a rule. This one never fires. */
const noRules = { groups: [{ name: 'none', rules: [{ alert: 'none', expr: 'vector(0) > 1' }] }] }

/** Newer versions evaluate the past by default, and older ones refuse the flag. Our store answers for the present. */
export function withoutDelay(program: string): string[] {
  const { stdout, stderr } = spawnSync(program, ['-help'], { encoding: 'utf8' })
  return `${stdout}${stderr}`.includes('-rule.evalDelay') ? ['-rule.evalDelay=0s'] : []
}

/** Evaluates the rules of alarms and posts alerts to the internal listener of the controller. */
export const vmalert: Engine = {
  name: 'vmalert',
  ports: ['vmalert'],
  stopSignal: 'SIGTERM',
  dropSignal: 'SIGKILL',

  async prepare({ dir, account, state }) {
    makePrivateDir(dir, account)
    const file = rulesFileOf(state)
    if (!existsSync(file)) writePrivate(file, JSON.stringify(noRules), account)
    chmodSync(file, 0o644)
  },

  async launch(context) {
    const { programs, state } = context
    if (!programs.vmalert)
      throw new EngineError(
        'vmalert was not found. It is in the package of VictoriaMetrics, or name its folder in MANC_VICTORIA_BIN.',
      )
    const { victoria = state.ports.victoria } = state.cluster?.ports['victoria-1'] ?? {}
    return launchCommand(context, {
      file: programs.vmalert,
      args: [
        `-rule=${rulesFileOf(state)}`,
        '-configCheckInterval=1s',
        `-datasource.url=http://127.0.0.1:${victoria}`,
        `-notifier.url=http://127.0.0.1:${state.ports.internal}`,
        `-httpListenAddr=127.0.0.1:${state.ports.vmalert}`,
        ...withoutDelay((programs.root ?? '') + programs.vmalert),
      ],
    })
  },

  async isReady({ state }) {
    const url = `http://127.0.0.1:${state.ports.vmalert}/health`
    return (await fetch(url, { signal: AbortSignal.timeout(5_000) })).ok
  },
}
