import type { NotificationDelivery } from '@manc/sdk'
import type { Command } from 'commander'
import { count, oneOf } from '../arguments.ts'
import { examples } from '../examples.ts'
import { first } from '../items.ts'
import { printDone, printList, printRecord } from '../output/print.ts'
import { connect } from '../profile.ts'

const id = '0199a3e5-7c1e-7d0c-9d6a-3f6f0f2a9b11'

const statuses = ['queued', 'sent', 'failed'] as const

interface Options {
  receiver?: string
  status?: (typeof statuses)[number]
  limit: number
}

export function fillDeliveries(command: Command): void {
  const deliveries = command
    .command('deliveries')
    .description('list messages and whether they were sent, newest first')
  deliveries
    .option('--receiver <id>', 'only messages to this receiver')
    .option('--status <name>', `only this status: ${statuses.join(', ')}`, oneOf(statuses))
    .option('--limit <n>', 'maximum number of messages', count, 100)
    .action(async ({ limit, ...filter }: Options, self: Command) => {
      const manc = await connect(self)
      await printList<NotificationDelivery>(
        self,
        first(manc.notifications.deliveries({ ...filter, pageSize: Math.min(limit, 1000) }), limit),
        [
          { title: 'ID', value: (delivery) => delivery.id },
          { title: 'RECEIVER', value: (delivery) => delivery.receiver },
          { title: 'STATUS', value: (delivery) => delivery.status },
          { title: 'ATTEMPTS', value: ({ attempts }) => String(attempts) },
          { title: 'SUBJECT', value: ({ subject }) => subject },
          { title: 'ERROR', value: ({ error }) => error ?? '' },
        ],
        'No messages found.',
      )
    })
  examples(deliveries, 'manc notifications deliveries --status failed')

  const delivery = command.command('delivery <id>').description('show one message with its alarms')
  delivery.action(async (given: string, _options: unknown, self: Command) => {
    const found = await (await connect(self)).notifications.delivery(given)
    const { alarms, ...members } = found
    const listed = alarms.map(({ ap_id: apId, rule, state }) => `${apId}: ${rule} (${state})`)
    await printRecord(self, found, { ...members, alarms: listed.join('\n') })
  })
  examples(delivery, `manc notifications delivery ${id}`)

  const retry = command.command('retry <id>').description('send a failed message again')
  retry.action(async (given: string, _options: unknown, self: Command) => {
    const queued = await (await connect(self)).notifications.retry(given)
    await printDone(self, queued, `Queued. See its result: manc notifications delivery ${queued.id}`)
  })
  examples(retry, `manc notifications retry ${id}`)

  const test = command.command('test <receiver>').description('send a test message to a receiver')
  test.action(async (receiver: string, _options: unknown, self: Command) => {
    const queued = await (await connect(self)).notifications.test(receiver)
    await printDone(self, queued, `Queued. See its result: manc notifications delivery ${queued.id}`)
  })
  examples(test, `manc notifications test ${id}`)
}
