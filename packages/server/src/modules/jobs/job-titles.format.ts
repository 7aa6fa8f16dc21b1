import type { JobKind, Technology } from '@manc/contract'

const maxLength = 160

const counted = (count: number, technology?: Technology) =>
  `${count} ${technology ? `${technology} ` : ''}access point${count === 1 ? '' : 's'}`

/** What a job does and to which access points, for lists of jobs. */
export const jobTitles = {
  command: (command: string, apId: string) => `${shortened(command)} → ${apId}`,
  commands: (command: string, count: number, technology: Technology | undefined) =>
    `${shortened(command)} → ${counted(count, technology)}`,
  decision: (policy: string, count: number) => `Decision ${policy} → ${counted(count)}`,
  data: (apId: string) => `Data of ${apId}`,
  live: (apIds: readonly string[]) => `Live data of ${apIds.length === 1 ? apIds[0] : counted(apIds.length)}`,
  emulation: (parts: readonly { technology: string; agents: number }[]) => {
    const sums = new Map<string, number>()
    for (const { technology, agents } of parts) sums.set(technology, (sums.get(technology) ?? 0) + agents)
    return shortened(
      `Emulate ${[...sums].map(([technology, agents]) => `${agents} ${technology}`).join(', ')}`,
    )
  },
  details: 'Details of all access points',
  mailbox: 'Mailbox of an application',
}

/** Of a job that an earlier version has created. */
export const untitled: Record<JobKind, string> = {
  agent_details: jobTitles.details,
  agent_data: 'Data of an access point',
  agent_live: 'Live data',
  send_command: 'Command',
  send_commands: 'Bulk command',
  emulator_spinup: 'Emulation',
  mailbox: jobTitles.mailbox,
}

const shortened = (text: string) => (text.length > maxLength ? `${text.slice(0, maxLength)}…` : text)
