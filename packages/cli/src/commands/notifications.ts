import type {
  NotificationReceiver,
  NotificationReceiverCreate,
  NotificationRoute,
  NotificationRouteCreate,
} from '@manc/sdk'
import type { Command } from 'commander'
import { examples } from '../examples.ts'
import { confirm, jsonObject } from '../input.ts'
import { isJson, print, printDone, printJson, printList, printNotice } from '../output/print.ts'
import { connect } from '../profile.ts'
import { fillDeliveries } from './notification-deliveries.ts'

const id = '0199a3e5-7c1e-7d0c-9d6a-3f6f0f2a9b11'

export function fill(command: Command): void {
  fillReceivers(command)
  fillRoutes(command)
  fillDeliveries(command)
}

function fillReceivers(command: Command): void {
  const receivers = command.command('receivers').description('list the receivers')
  receivers.action(async (_options: unknown, self: Command) =>
    printList<NotificationReceiver>(
      self,
      await (await connect(self)).notifications.receivers(),
      [
        { title: 'ID', value: (receiver) => receiver.id },
        { title: 'NAME', value: ({ name }) => name },
        { title: 'TYPE', value: ({ type }) => type },
        { title: 'TARGET', value: ({ url, addresses }) => url ?? addresses.join(', ') },
        { title: 'ENABLED', value: ({ is_enabled: isEnabled }) => (isEnabled ? 'yes' : 'no') },
      ],
      'No receivers found.',
    ),
  )
  examples(receivers, 'manc notifications receivers')

  const create = command
    .command('create-receiver <json>')
    .description('create a receiver; prints the secret of a webhook, once')
  create.action(async (json: string, _options: unknown, self: Command) => {
    const given = (await jsonObject(json)) as NotificationReceiverCreate
    await printSecret(
      self,
      await (await connect(self)).notifications.createReceiver(given),
      (receiver) => `Created the receiver ${receiver}.`,
    )
  })
  examples(
    create,
    `manc notifications create-receiver '{"name":"On call","type":"email","addresses":["oncall@example.org"]}'`,
    `manc notifications create-receiver '{"name":"Chat","type":"webhook","url":"https://example.org/hook"}' > secret`,
  )

  const update = command.command('update-receiver <id> <json>').description('replace a receiver')
  update.action(async (receiver: string, json: string, _options: unknown, self: Command) => {
    const given = (await jsonObject(json)) as NotificationReceiverCreate
    const updated = await (await connect(self)).notifications.updateReceiver(receiver, given)
    await printDone(self, updated, `Replaced the receiver ${updated.id}.`)
  })
  examples(update, `manc notifications update-receiver ${id} @receiver.json`)

  const rotate = command
    .command('rotate-secret <id>')
    .description('replace the secret of a webhook; prints the new one, once')
  rotate
    .option('--yes', 'do not ask for confirmation')
    .action(async (receiver: string, options: { yes?: boolean }, self: Command) => {
      await confirm(`Replace the secret of ${receiver}? Signatures with the old one end now.`, options.yes)
      await printSecret(
        self,
        await (await connect(self)).notifications.rotateSecret(receiver),
        () => 'Replaced the secret.',
      )
    })
  examples(rotate, `manc notifications rotate-secret ${id} --yes > secret`)

  const remove = command.command('remove-receiver <id>').description('delete a receiver that no route uses')
  remove
    .option('--yes', 'do not ask for confirmation')
    .action(async (receiver: string, options: { yes?: boolean }, self: Command) => {
      await confirm(`Delete the receiver ${receiver}? Queued messages are not sent.`, options.yes)
      const done = await (await connect(self)).notifications.removeReceiver(receiver)
      await printDone(self, { removed: receiver }, done.detail)
    })
  examples(remove, `manc notifications remove-receiver ${id} --yes`)
}

/** The secret alone on standard output, so that it can be written to a file. */
async function printSecret(
  self: Command,
  receiver: NotificationReceiver & { secret: string | null },
  done: (id: string) => string,
): Promise<void> {
  if (isJson(self)) return printJson(receiver)
  printNotice(done(receiver.id))
  if (receiver.secret === null) return
  printNotice('Its secret, which is shown only now:')
  await print(receiver.secret)
}

function fillRoutes(command: Command): void {
  const routes = command.command('routes').description('list the routes: which alarms go to which receiver')
  routes.action(async (_options: unknown, self: Command) =>
    printList<NotificationRoute>(
      self,
      await (await connect(self)).notifications.routes(),
      [
        { title: 'ID', value: (route) => route.id },
        { title: 'NAME', value: ({ name }) => name },
        { title: 'RECEIVER', value: (route) => route.receiver_id },
        { title: 'ALARMS', value: filterText },
        { title: 'GROUPED BY', value: (route) => `${route.group_by}, every ${route.group_interval_s} s` },
        { title: 'ENABLED', value: ({ is_enabled: isEnabled }) => (isEnabled ? 'yes' : 'no') },
      ],
      'No routes found.',
    ),
  )
  examples(routes, 'manc notifications routes')

  const example = `'{"name":"Critical","receiver_id":"${id}","severities":["critical"]}'`
  const create = command.command('create-route <json>').description('create a route')
  create.action(async (json: string, _options: unknown, self: Command) => {
    const given = (await jsonObject(json)) as NotificationRouteCreate
    const route = await (await connect(self)).notifications.createRoute(given)
    await printDone(self, route, `Created the route ${route.id}.`)
  })
  examples(
    create,
    `manc notifications create-route ${example}`,
    'manc notifications create-route @route.json',
  )

  const update = command.command('update-route <id> <json>').description('replace a route')
  update.action(async (route: string, json: string, _options: unknown, self: Command) => {
    const given = (await jsonObject(json)) as NotificationRouteCreate
    const updated = await (await connect(self)).notifications.updateRoute(route, given)
    await printDone(self, updated, `Replaced the route ${updated.id}.`)
  })
  examples(update, `manc notifications update-route ${id} @route.json`)

  const remove = command.command('remove-route <id>').description('delete a route')
  remove
    .option('--yes', 'do not ask for confirmation')
    .action(async (route: string, options: { yes?: boolean }, self: Command) => {
      await confirm(`Delete the route ${route}?`, options.yes)
      const done = await (await connect(self)).notifications.removeRoute(route)
      await printDone(self, { removed: route }, done.detail)
    })
  examples(remove, `manc notifications remove-route ${id} --yes`)
}

function filterText(route: NotificationRoute): string {
  const parts = [route.severities, route.technologies, route.ap_ids, route.rule_ids]
    .filter((values) => values.length > 0)
    .map((values) => values.join(', '))
  return parts.length === 0 ? 'all' : parts.join('; ')
}
