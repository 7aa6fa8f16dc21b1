import type { Job, JobKind, JobState } from '@manc/sdk'
import type { Command } from 'commander'
import { count, jobKinds, jobStates, someOf } from '../arguments.ts'
import { examples } from '../examples.ts'
import { first } from '../items.ts'
import { paintState } from '../output/colour.ts'
import { isJson, print, printList, printNotice, printRecord } from '../output/print.ts'
import type { Column } from '../output/table.ts'
import { ago, counted } from '../output/text.ts'
import { connect } from '../profile.ts'

const columns: Column<Job>[] = [
  { title: 'JOB', value: ({ job_number: number }) => number },
  { title: 'KIND', value: ({ kind }) => kind },
  { title: 'STATE', value: ({ state }) => state, paint: (text, { state }) => paintState(state, text) },
  { title: 'CREATED', value: ({ created_at: at }) => ago(at) },
  { title: 'TITLE', value: ({ title }) => title },
  { title: 'DETAIL', value: ({ detail }) => detail },
]

interface Listing {
  limit: number
  parent?: string
  kind?: JobKind[]
  state?: JobState[]
}

export function fill(command: Command): void {
  const listing = command.command('list').description('list your jobs, newest first')
  listing
    .option('--limit <n>', 'maximum number of jobs', count, 50)
    .option('--parent <job>', 'the parts of this job')
    .option('--kind <kinds>', `only these: ${jobKinds.join(', ')}`, someOf(jobKinds))
    .option('--state <states>', `only these: ${jobStates.join(', ')}`, someOf(jobStates))
    .action(async (options: Listing, self: Command) => {
      const { limit, ...filter } = options
      const jobs = (await connect(self)).jobs.list(filter)
      await printList(self, first(jobs, limit), columns, 'No jobs found.')
    })
  examples(
    listing,
    'manc jobs list',
    'manc jobs list --kind send_command,send_commands --state failed,timed_out',
    'manc jobs list --limit 10 --json',
  )

  const get = command.command('get <job>').description('show one job')
  get.action(async (number: string, _options: unknown, self: Command) => {
    const job = await (await connect(self)).jobs.get(number, { include: 'request' })
    const { progress, request, ...rest } = job
    await printRecord(self, job, {
      ...rest,
      progress: progress && JSON.stringify(progress),
      request: JSON.stringify(request),
    })
  })
  examples(get, 'manc jobs get 6f9b4a52-7b1d-4c8e-8c58-2f4f2f2d6f11')

  const read = command.command('read <job>').description('print the messages of a job until its end')
  read
    .option('--after <seq>', 'resume after this message', count)
    .option('--count <n>', 'stop after this number of messages', count)
    .action(async (number: string, options: { after?: number; count?: number }, self: Command) => {
      const messages = (await connect(self)).jobs.read(number, {
        ...(options.after !== undefined && { after: options.after }),
      })
      // With --json the whole message, otherwise its data.
      for await (const message of first(messages, options.count ?? Infinity))
        await print(JSON.stringify(isJson(self) ? message : message.data))
    })
  examples(
    read,
    'manc jobs read 6f9b4a52-7b1d-4c8e-8c58-2f4f2f2d6f11',
    'manc jobs read "$JOB" --json --count 1',
  )
  fillAgain(command)
}

function fillAgain(command: Command): void {
  const results = command
    .command('results <job>')
    .description('print the messages of a job again; delivers and changes nothing')
  results
    .option('--limit <n>', 'maximum number of messages', count)
    .action(async (number: string, { limit = Infinity }: { limit?: number }, self: Command) => {
      const messages = (await connect(self)).jobs.results(number, { pageSize: Math.min(limit, 100) })
      let missing = 0
      // With --json the whole message, otherwise its data.
      for await (const message of first(messages, limit)) {
        if (message.detail !== null) missing++
        if (isJson(self)) await print(JSON.stringify(message))
        else if (message.detail === null) await print(JSON.stringify(message.data))
      }
      if (missing > 0)
        printNotice(`${counted(missing, 'message')} not kept. Repeat the request to get the result.`)
    })
  examples(
    results,
    'manc jobs results 6f9b4a52-7b1d-4c8e-8c58-2f4f2f2d6f11',
    'manc jobs results "$JOB" --json --limit 10',
  )

  const cancel = command.command('cancel <job>').description('cancel a job that has not ended')
  cancel.action(async (number: string, _options: unknown, self: Command) => {
    const { detail, ...rest } = await (await connect(self)).jobs.cancel(number)
    if (isJson(self)) await print(JSON.stringify({ ...rest, detail }))
    else await print(detail)
  })
  examples(cancel, 'manc jobs cancel 6f9b4a52-7b1d-4c8e-8c58-2f4f2f2d6f11')
}
