import type { EmulatedChoice, EventKind, EventSeverity, Manc, NetworkEvent } from '@manc/sdk'
import type { Command } from 'commander'
import { count, emulatedChoices, eventKinds, eventSeverities, moment, oneOf, someOf } from '../arguments.ts'
import { examples } from '../examples.ts'
import { all, first } from '../items.ts'
import { paintState } from '../output/colour.ts'
import { isJson, print, printList, printNotice } from '../output/print.ts'
import { clean } from '../output/text.ts'
import { connect } from '../profile.ts'

interface Options {
  apId?: string
  kind?: EventKind[]
  severity?: EventSeverity[]
  emulated?: EmulatedChoice
  since?: Date
  limit: number
  export?: boolean
  follow?: boolean
  count?: number
}

export function fill(command: Command): void {
  command
    .option('--ap-id <id>', 'only of this access point')
    .option('--kind <names>', `only these: ${eventKinds.join(', ')}`, someOf(eventKinds))
    .option('--severity <names>', `only these: ${eventSeverities.join(', ')}`, someOf(eventSeverities))
    .option(
      '--emulated <which>',
      'own (the default), all with those of others, or none',
      oneOf(emulatedChoices),
    )
    .option('--since <time>', 'from this time on: a time, or how long ago, as 1h', moment)
    .option('--limit <n>', 'maximum number of past events', count, 100)
    .option('--export', 'print all matching events as JSON lines, newest first')
    .option('--follow', 'then print events as they happen, until it is interrupted')
    .option('--count <n>', 'with --follow: end after this many events', count)
    .action(showEvents)
  examples(
    command,
    'manc events',
    'manc events --ap-id wifi-1 --since 1h',
    'manc events --severity warning,critical --follow',
    'manc events --kind command --json',
    'manc events --since 7d --export > events.jsonl',
  )
}

async function showEvents(options: Options, command: Command): Promise<void> {
  const manc = await connect(command)
  if (options.follow) return follow(manc, options, command)
  if (options.export) return exportEvents(manc, options)
  const events = first(manc.events.list(pastOf(options)), options.limit)
  await printList<NetworkEvent>(
    command,
    events,
    [
      { title: 'TIME', value: ({ at }) => at },
      {
        title: 'SEVERITY',
        value: ({ severity }) => severity,
        paint: (text, { severity }) => paintState(severity, text),
      },
      { title: 'KIND', value: ({ kind }) => kind },
      { title: 'TEXT', value: ({ text }) => text },
    ],
    'No events.',
  )
}

async function exportEvents(manc: Manc, options: Options): Promise<void> {
  const filter = { ...choiceOf(options), ...(options.since && { from: options.since }) }
  for await (const event of manc.events.export(filter)) await print(JSON.stringify(event))
}

/** Past events of `--since`, the oldest first, and then those that happen. */
async function follow(manc: Manc, options: Options, command: Command): Promise<void> {
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  let taken = 0
  const show = async (event: NetworkEvent) => {
    await print(isJson(command) ? JSON.stringify(event) : lineOf(event))
    taken += 1
  }
  const isEnough = () => taken === options.count
  // The list is read after the stream has started: an event may be in both, and none in neither.
  const started = Promise.withResolvers<void>()
  const shown = new Set<string>()
  const stream = manc.events.follow({
    ...choiceOf(options),
    signal: stop.signal,
    onStart: () => started.resolve(),
    onGap: () => printNotice('Events are missing here: the connection was lost for too long.'),
  })
  try {
    const next = stream.next()
    next.catch((error: unknown) => started.reject(error as Error))
    await started.promise
    if (options.since)
      for (const event of (await all(first(manc.events.list(pastOf(options)), options.limit))).toReversed()) {
        shown.add(event.id)
        await show(event)
        if (isEnough()) return
      }
    for (let event = await next; !event.done; event = await stream.next()) {
      if (!shown.delete(event.value.id)) await show(event.value)
      if (isEnough()) return
    }
  } catch (error) {
    // An interrupt is the normal end.
    if (!stop.signal.aborted) throw error
  } finally {
    stop.abort()
  }
}

const lineOf = ({ at, severity, text }: NetworkEvent) =>
  `${at}  ${paintState(severity, severity.padEnd(8))}  ${clean(text)}`

const choiceOf = ({ apId, kind, severity, emulated }: Options) => ({
  ...(apId !== undefined && { ap_id: apId }),
  ...(kind && { kind }),
  ...(severity && { severity }),
  ...(emulated && { emulated }),
})

const pastOf = (options: Options) => ({
  ...choiceOf(options),
  ...(options.since && { from: options.since }),
  pageSize: Math.min(options.limit, 1000),
})
