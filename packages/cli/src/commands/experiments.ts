import type {
  Experiment,
  ExperimentCreate,
  ExperimentDetails,
  ExperimentFigure,
  ExperimentResult,
  Manc,
  WhatIfCreate,
} from '@manc/sdk'
import type { Command } from 'commander'
import { examples } from '../examples.ts'
import { exitCodes, Failure } from '../failure.ts'
import { confirm, jsonObject } from '../input.ts'
import { isJson, print, printDone, printJson, printList, printNotice, printRecord } from '../output/print.ts'
import { bar, Progress } from '../output/progress.ts'
import { counted, figure } from '../output/text.ts'
import { connect } from '../profile.ts'

interface Start {
  detach?: boolean
}

const id = '0199a3e5-7c1e-7d0c-9d6a-3f6f0f2a9b11'

/** The figures of the table; the export has all. */
const shown: readonly (readonly [ExperimentFigure, string])[] = [
  ['mean_mbps', 'MEAN MBIT/S'],
  ['p5_mbps', 'P5 MBIT/S'],
  ['outage_s', 'OUTAGE S'],
  ['handovers', 'HANDOVERS/H'],
  ['ping_pongs', 'PING-PONGS/H'],
  ['kwh', 'KWH/DAY'],
]

export function fill(command: Command): void {
  const run = command
    .command('run <file>')
    .description('start an experiment from a JSON file and follow it; - is standard input')
    .option('--detach', 'do not follow it')
  run.action(async (file: string, { detach }: Start, self: Command) => {
    const given = (await jsonObject(`@${file}`)) as ExperimentCreate
    const manc = await connect(self)
    await begin(self, manc, await manc.experiments.create(given), detach)
  })
  examples(run, 'manc experiments run experiment.json', 'manc experiments run experiment.json --detach')

  const ask = command
    .command('what-if <json>')
    .description('simulate the network with and without a policy or a command: JSON, or @file')
    .option('--detach', 'do not follow it')
  ask.action(async (json: string, { detach }: Start, self: Command) => {
    const given = (await jsonObject(json)) as WhatIfCreate
    const manc = await connect(self)
    await begin(self, manc, await manc.experiments.whatIf(given), detach)
  })
  examples(
    ask,
    `manc experiments what-if '{"technology": ["WiFi"], "policy": "best-experience"}'`,
    `manc experiments what-if '{"agents": ["wifi-1", "wifi-2"], "command": {"ap_id": "wifi-1", "command": "sleep"}}'`,
  )

  const resume = command.command('follow <id>').description('follow an experiment until it has ended')
  resume.action(async (given: string, _options: unknown, self: Command) =>
    follow(self, await connect(self), given),
  )
  examples(resume, `manc experiments follow ${id}`)

  const show = command
    .command('show <id>')
    .description(
      'show an experiment and its results: means ± half of their 95 % intervals, handovers and ping-pongs per client and hour',
    )
    .option('--difference', 'differences from the first policy instead of means')
  show.action(async (given: string, { difference }: { difference?: boolean }, self: Command) => {
    const experiment = await (await connect(self)).experiments.get(given)
    await showResults(self, experiment, difference)
  })
  examples(show, `manc experiments show ${id}`, `manc experiments show ${id} --difference`)

  const all = command
    .command('export <id>')
    .description('print the results as CSV, one line for each run')
    .option('--series', 'one line for each point in time of each run')
  all.action(async (given: string, { series }: { series?: boolean }, self: Command) => {
    const { experiments } = await connect(self)
    for await (const line of experiments.export(given, { what: series ? 'series' : 'runs' }))
      await print(line)
  })
  examples(
    all,
    `manc experiments export ${id} > runs.csv`,
    `manc experiments export ${id} --series > series.csv`,
  )
  fillChanges(command)
}

function fillChanges(command: Command): void {
  const series = command.command('show-run <id> <run>').description('show a run with its time series')
  series.action(async (given: string, run: string, _options: unknown, self: Command) => {
    const found = await (await connect(self)).experiments.getRun(given, Number(run))
    if (isJson(self)) return printJson(found)
    const { series: points } = found
    await printList(
      self,
      (points?.s ?? []).map((second, n) => ({ second, n })),
      [
        { title: 'SECOND', value: ({ second }) => second },
        { title: 'MEAN MBIT/S', value: ({ n }) => points?.mean_mbps[n] },
        { title: 'P5 MBIT/S', value: ({ n }) => points?.p5_mbps[n] },
        { title: 'CLIENTS', value: ({ n }) => points?.clients[n] },
        { title: 'HANDOVERS', value: ({ n }) => points?.handovers[n] },
      ],
      `The run is ${found.state}. It has no series yet.`,
    )
  })
  examples(series, `manc experiments show-run ${id} 1`)

  const cancel = command.command('cancel <id>').description('cancel an experiment; results so far are kept')
  cancel.action(async (given: string, _options: unknown, self: Command) => {
    const experiment = await (await connect(self)).experiments.cancel(given)
    await printDone(self, experiment, `${experiment.name} is ${experiment.state}.`)
  })
  examples(cancel, `manc experiments cancel ${id}`)

  const remove = command
    .command('remove <id>')
    .description('delete an experiment with its results')
    .option('--yes', 'do not ask for confirmation')
  remove.action(async (given: string, { yes }: { yes?: boolean }, self: Command) => {
    await confirm(`Delete the experiment ${given} with its results?`, yes)
    const done = await (await connect(self)).experiments.remove(given)
    await printDone(self, { removed: given }, done.detail)
  })
  examples(remove, `manc experiments remove ${id} --yes`)
}

async function begin(
  command: Command,
  manc: Manc,
  experiment: Experiment,
  isDetached: boolean | undefined,
): Promise<void> {
  if (!isDetached) return follow(command, manc, experiment.id)
  if (isJson(command)) return printJson(experiment)
  printNotice(
    `${counted(experiment.runs, 'run')} waiting. To follow: manc experiments follow ${experiment.id}`,
  )
  await print(experiment.id)
}

/** Can be interrupted and repeated: the experiment does not depend on this program. */
async function follow(command: Command, manc: Manc, given: string): Promise<void> {
  process.once('SIGINT', () => {
    printNotice(`\nThe experiment continues. To follow it: manc experiments follow ${given}`)
    process.exit(exitCodes.interrupted)
  })
  printNotice(`Experiment ${given}`)
  const progress = new Progress()
  let last: ExperimentDetails | undefined
  for await (const experiment of manc.experiments.follow(given)) {
    last = experiment
    progress.draw(progressLine(experiment))
  }
  progress.clear()
  if (!last) return
  await showResults(command, last, false)
  if (last.state !== 'finished')
    throw new Failure(`The experiment is ${last.state}. All runs: manc experiments show ${given} --json`)
}

function progressLine({ runs, finished, failed, run_list: list }: ExperimentDetails): string {
  const running = list.filter(({ state }) => state === 'running')
  const part = running.reduce((sum, { progress_pct: percent }) => sum + percent / 100, 0)
  const more = [`${running.length} running`, ...(failed > 0 ? [`${failed} failed`] : [])].join(', ')
  return `${bar(finished + failed + part, runs)} ${finished} of ${counted(runs, 'run')}, ${more}`
}

async function showResults(
  command: Command,
  experiment: ExperimentDetails,
  isDifference = false,
): Promise<void> {
  if (isJson(command)) return printJson(experiment)
  const { name, state, owner, seed, repetitions, runs, finished, failed } = experiment
  const failure = experiment.run_list.find(({ detail }) => detail !== null)?.detail ?? undefined
  await printRecord(command, experiment, {
    id: experiment.id,
    name,
    state,
    owner,
    world: worldText(experiment),
    command: experiment.command && `${experiment.command.command} at ${experiment.command.ap_id}`,
    seeds: `${seed}-1 to ${seed}-${repetitions}`,
    runs: `${finished} of ${runs} finished${failed > 0 ? `, ${failed} failed` : ''}`,
    ...(failure !== undefined && { failure }),
    created: experiment.created_at,
    ended: experiment.ended_at,
  })
  await print('')
  await printList(
    command,
    experiment.results,
    [
      { title: 'POLICY', value: ({ policy }) => policy },
      { title: 'RUNS', value: ({ runs: own }) => own },
      ...shown.map(([of, title]) => ({
        title,
        value: (result: ExperimentResult) => (isDifference ? differenceOf(result, of) : meanOf(result, of)),
      })),
    ],
    'No results.',
  )
}

function worldText({ world: { name, network } }: ExperimentDetails): string {
  if (!network) return name ?? 'described'
  const { access_points: points, left_out: leftOut, clients, at } = network
  const rest = leftOut > 0 ? `; ${leftOut} left out: unknown, offline or without a position` : ''
  return `the network at ${at}: ${counted(points, 'access point')}, ${counted(clients, 'client')}${rest}`
}

function meanOf({ figures }: ExperimentResult, of: ExperimentFigure): string | null {
  const { mean, interval } = figures[of]
  return mean === null ? null : withInterval(figure(mean), interval)
}

function differenceOf({ figures }: ExperimentResult, of: ExperimentFigure): string | null {
  const { difference, difference_interval: interval } = figures[of]
  if (difference === null) return null
  return withInterval(`${difference < 0 ? '' : '+'}${figure(difference)}`, interval)
}

const withInterval = (text: string, interval: number | null) =>
  interval === null ? text : `${text} ± ${figure(interval)}`
