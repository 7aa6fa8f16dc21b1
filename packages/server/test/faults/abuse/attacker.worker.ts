/** One attacker. Its priority is the lowest: the suite shows what the server does, not who gets the CPU. */
import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { Attack, type AttackerName, type AttackOptions } from './attack.ts'
import { attackAsAccount } from './attack-account.ts'
import { attackAsAgent } from './attack-agent.ts'
import { attackAsAnonymous } from './attack-anonymous.ts'
import { attackAsApp } from './attack-app.ts'
import { serveWorker } from './worker-process.ts'

const attacks: Record<AttackerName, (attack: Attack) => Promise<unknown>> = {
  account: attackAsAccount,
  app: attackAsApp,
  agent: attackAsAgent,
  anonymous: attackAsAnonymous,
}

serveWorker(async (value, stopping, ready) => {
  const options = value as AttackOptions
  lowerPriority()
  const attack = new Attack(options, stopping)
  ready()
  void attacks[options.name](attack)
  // What is in flight at the end is of no interest.
  await new Promise<void>((resolve) => stopping.addEventListener('abort', () => resolve(), { once: true }))
  attack.end()
  return attack.counts
})

function lowerPriority(): void {
  setPriority(19)
  try {
    writeFileSync('/proc/self/autogroup', '19')
  } catch {
    // A kernel without groups by session weighs the process alone.
  }
}
