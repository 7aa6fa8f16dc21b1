import type {
  Box,
  CommandNews,
  CommandOutcome,
  CommandToMany,
  EmulatedChoice,
  Job,
  Manc,
  Technology,
} from '@manc/sdk'
import type { Command } from 'commander'
import { area, emulatedChoices, list, oneOf, technologies } from '../arguments.ts'
import { examples } from '../examples.ts'
import { exitCodes, Failure, wrongUsage } from '../failure.ts'
import { all } from '../items.ts'
import { paintState } from '../output/colour.ts'
import { isJson, print, printJson, printList, printNotice, printRecord } from '../output/print.ts'
import { bar, Progress } from '../output/progress.ts'
import { clean, counted } from '../output/text.ts'
import { connect } from '../profile.ts'

interface Options {
  wait: boolean
  technology?: Technology
  agents?: string[]
  area?: Box
  emulated?: EmulatedChoice
}

export function fill(command: Command): void {
  const send = command
    .command('send <arguments...>')
    .description('send a command to one access point (AGENT COMMAND…), or to many')
  send
    .usage('[options] AGENT COMMAND…\n       manc commands send --technology|--agents|--area … COMMAND…')
    .option(
      '--technology <name>',
      `to all of this technology: ${technologies.join(', ')}`,
      oneOf(technologies),
    )
    .option('--agents <ids>', 'to these, separated by commas', list)
    .option('--area <west,south,east,north>', 'to all in this area, in degrees', area)
    .option(
      '--emulated <which>',
      'emulated ones of these: own, all with those of others, or none',
      oneOf(emulatedChoices),
    )
    .option('--no-wait', 'print the job number, and do not wait for the result')
    .action(sendCommand)
  examples(
    send,
    'manc commands send wifi-1 set_channel 11',
    'manc commands send wifi-1 reboot --no-wait',
    'manc commands send --technology WiFi reboot',
    'manc commands send --agents wifi-1,wifi-2 reboot',
  )
  const status = command.command('status <job>').description('show the state of a command')
  status.action(showStatus)
  examples(status, 'manc commands status 6f9b4a52-7b1d-4c8e-8c58-2f4f2f2d6f11')
}

async function sendCommand(texts: string[], options: Options, command: Command): Promise<void> {
  const { technology, agents, area: box, emulated, wait } = options
  const isToMany = technology !== undefined || agents !== undefined || box !== undefined
  const [apId = '', ...rest] = texts
  if (!isToMany && rest.length === 0)
    throw wrongUsage(
      'The command is missing. Write: manc commands send AGENT COMMAND, or select many with --technology.',
    )
  if (!isToMany && emulated !== undefined)
    throw wrongUsage(
      '--emulated is for a command to many access points. Remove it, or select them with --technology, --agents or --area.',
    )
  const manc = await connect(command)
  if (!isToMany) return sendToOne(manc, command, { apId, text: rest.join(' '), wait })
  await sendToMany(manc, command, wait, {
    command: texts.join(' '),
    ...(technology && { technology }),
    ...(agents && { agents }),
    ...(box && { area: box }),
    ...(emulated && { emulated }),
  })
}

async function sendToOne(
  manc: Manc,
  command: Command,
  { apId, text, wait }: { apId: string; text: string; wait: boolean },
): Promise<void> {
  const job = await manc.commands.send(apId, text)
  if (!wait) return showJobNumber(command, job.jobNumber)
  let last: CommandNews | undefined
  const startedAt = Date.now()
  leaveRunning(job.jobNumber)
  try {
    for await (const news of job) {
      last = news
      printNotice(`${((Date.now() - startedAt) / 1000).toFixed(1).padStart(5)} s  ${news.state}`)
    }
  } finally {
    // Also after a failure: with --json the reason is in the output.
    if (last && isJson(command)) await printJson(last)
  }
  if (isJson(command)) return
  if (last?.result !== null && last?.result !== undefined) await print(clean(textOf(last.result)))
}

async function sendToMany(manc: Manc, command: Command, wait: boolean, body: CommandToMany): Promise<void> {
  const job = await manc.commands.sendToMany(body)
  if (!wait) return showJobNumber(command, job.jobNumber)
  printNotice(
    `Sent to ${counted(job.agents, 'access point')}${job.skipped > 0 ? `; ${job.skipped} skipped` : ''}.`,
  )
  const progress = new Progress()
  const outcomes: CommandOutcome[] = []
  leaveRunning(job.jobNumber)
  for await (const news of job) {
    if (news.progress) progress.draw(...progressLines(news.progress))
    outcomes.push(...(news.outcomes ?? []))
  }
  progress.clear()
  await printList(command, outcomes, outcomeColumns, 'No access point matches.')
  const failed = outcomes.filter(({ state }) => state !== 'succeeded').length
  if (failed > 0)
    throw new Failure(
      `${failed} of ${outcomes.length} access points did not execute the command. Check the list, and send it to those again.`,
    )
}

const outcomeColumns = [
  { title: 'AGENT', value: (outcome: CommandOutcome) => outcome.agent_id },
  {
    title: 'STATE',
    value: ({ state }: CommandOutcome) => state,
    paint: (text: string, { state }: CommandOutcome) => paintState(state, text),
  },
  {
    title: 'DETAIL',
    value: ({ detail, result }: CommandOutcome) => detail ?? (result === null ? '' : textOf(result)),
  },
]

const endStates = new Set(['succeeded', 'failed', 'timed_out', 'expired', 'superseded', 'skipped'])

function progressLines(states: Record<string, number>): string[] {
  const entries = Object.entries(states)
  const total = entries.reduce((sum, [, count]) => sum + count, 0)
  const done = entries.reduce((sum, [state, count]) => sum + (endStates.has(state) ? count : 0), 0)
  return [
    `${bar(done, total)} ${done} of ${total}: ${entries.map(([state, count]) => `${count} ${state}`).join(', ')}`,
  ]
}

async function showStatus(jobNumber: string, _options: unknown, command: Command): Promise<void> {
  const manc = await connect(command)
  const job = await manc.jobs.get(jobNumber)
  const parts = job.progress === null ? [] : await all(manc.jobs.list({ parent: jobNumber }))
  await printRecord(command, { ...job, ...(parts.length > 0 && { parts }) }, recordOf(job))
  if (parts.length === 0 || isJson(command)) return
  await print('')
  await printList(
    command,
    parts,
    [
      { title: 'JOB', value: ({ job_number: number }) => number },
      { title: 'AGENT', value: ({ agent_id: apId }) => apId },
      { title: 'STATE', value: ({ state }) => state, paint: (text, { state }) => paintState(state, text) },
      { title: 'DETAIL', value: ({ detail }) => detail },
    ],
    '',
  )
}

const recordOf = (job: Job) => ({
  job: job.job_number,
  title: job.title,
  kind: job.kind,
  state: job.state,
  detail: job.detail ?? undefined,
  created: job.created_at,
  ended: job.ended_at ?? undefined,
  progress: job.progress
    ? Object.entries(job.progress)
        .map(([state, n]) => `${n} ${state}`)
        .join(', ')
    : undefined,
})

async function showJobNumber(command: Command, jobNumber: string): Promise<void> {
  if (isJson(command)) return printJson({ job_number: jobNumber })
  await print(jobNumber)
  printNotice(`To see its state: manc commands status ${jobNumber}`)
}

/** The command continues without this program. */
function leaveRunning(jobNumber: string): void {
  process.once('SIGINT', () => {
    printNotice(
      `\nThe command was sent and continues. To see its state: manc commands status ${jobNumber}. To cancel it: manc jobs cancel ${jobNumber}`,
    )
    process.exit(exitCodes.interrupted)
  })
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
