import type { Role } from '../../settings.ts'
import type { Part, ProcessRow } from './parts.types.ts'
import { countOf } from './texts.format.ts'

const effects: Record<Role, string> = {
  api: 'requests are not served',
  subscriber: 'jobs, commands and e-mails are not handled',
  ingester: 'telemetry is not stored, and presence is not tracked',
}

/** By role, with what is missing. Several versions run during an upgrade. */
export function processesPart(processes: readonly ProcessRow[]): Omit<Part, 'id' | 'name'> {
  const alive = processes.filter(({ isAlive }) => isAlive)
  const roles = Object.keys(effects) as Role[]
  const count = (role: Role) => alive.filter((each) => each.roles.includes(role)).length
  const versions = [...new Set(alive.map(({ version }) => version))].toSorted()
  const figures = {
    ...Object.fromEntries(roles.map((role) => [role, count(role)])),
    lost: processes.length - alive.length,
  }
  const missing = roles.filter((role) => count(role) === 0)
  if (missing.length > 0)
    return {
      state: 'bad',
      reason: missing.map((role) => `No ${role} is running: ${effects[role]}.`).join(' '),
      nextStep: 'Start a process with the missing role.',
      runbook: 'runbooks/MancRoleMissing',
      figures,
    }
  const running = `${roles.map((role) => `${count(role)} ${role}`).join(', ')}, version ${versions.join(' and ')}.`
  const lost = processes.filter(({ isAlive }) => !isAlive)
  if (lost.length === 0) return { state: 'good', reason: running, figures }
  const hosts = [...new Set(lost.map(({ host, roles: of }) => `${host} (${of.join(', ')})`))].slice(0, 3)
  return {
    state: 'degraded',
    reason: `${countOf(lost.length, 'process', 'processes')} of the last 15 minutes ended without a shutdown, or cannot reach the database: ${hosts.join('; ')}. Running: ${running}`,
    nextStep: 'Find out why it ended, and start it again unless another one has replaced it.',
    runbook: 'runbooks/MancProcessDown',
    figures,
  }
}
