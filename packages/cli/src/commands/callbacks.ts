import type { CallbackAccepted, ExperimentRunReport, Manc } from '@manc/sdk'
import { Argument, type Command } from 'commander'
import { examples } from '../examples.ts'
import { wrongUsage } from '../failure.ts'
import { jsonFile, jsonObject } from '../input.ts'
import { printDone } from '../output/print.ts'
import { connect } from '../profile.ts'

type Items = Record<string, unknown>[]

const kinds: Record<string, (manc: Manc, job: string, items: Items) => Promise<CallbackAccepted>> = {
  agent_data: (manc, job, items) => manc.callbacks.agentData(job, items),
  agent_details: (manc, job, items) => manc.callbacks.agentDetails(job, items),
  emulator: (manc, job, items) => manc.callbacks.emulator(job, items),
}

export function fill(command: Command): void {
  const post = command
    .command('post')
    .description('post results to a job; an unused number creates a mailbox')
  post
    .addArgument(new Argument('<kind>', 'kind of the results').choices(Object.keys(kinds)))
    .argument('<job>', 'job number')
    .option('--file <file>', 'a JSON array; - is standard input', '-')
    .action(async (kind: string, job: string, { file }: { file: string }, self: Command) => {
      const items = await jsonFile(file)
      if (!Array.isArray(items))
        throw wrongUsage('Results must be a JSON array. Write for example [{"field": "clients"}].')
      const manc = await connect(self)
      const accepted = await kinds[kind]?.(manc, job, items as Items)
      await printDone(self, accepted, accepted?.detail ?? '')
    })
  examples(
    post,
    'manc callbacks post agent_details 6f9b4a52-7b1d-4c8e-8c58-2f4f2f2d6f11 --file details.json',
    `echo '[{"hello": "there"}]' | manc callbacks post agent_data my-mailbox`,
  )

  const run = command
    .command('run <report>')
    .description('report on a run of an experiment, as emulators do: JSON, or @file')
  run.action(async (report: string, _options: unknown, self: Command) => {
    const given = (await jsonObject(report)) as ExperimentRunReport
    const done = await (await connect(self)).callbacks.experimentRun(given)
    await printDone(self, done, done.detail)
  })
  examples(run, 'manc callbacks run @report.json')
}
