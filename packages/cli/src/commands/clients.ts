import type { Attachment } from '@manc/sdk'
import type { Command } from 'commander'
import { examples } from '../examples.ts'
import { printList, printRecord } from '../output/print.ts'
import type { Column } from '../output/table.ts'
import { connect } from '../profile.ts'

const columns: readonly Column<Attachment>[] = [
  { title: 'AP', value: ({ ap_id: apId }) => apId },
  { title: 'TECHNOLOGY', value: ({ technology }) => technology },
  { title: 'SINCE', value: ({ since }) => since },
  { title: 'UNTIL', value: ({ until }) => until },
  { title: 'ENDED', value: ({ ended }) => ended },
]

export function fill(command: Command): void {
  const show = command.command('show <id>').description('show a client and where it is attached')
  show.action(async (id: string, _options: unknown, self: Command) => {
    const client = await (await connect(self)).clients.get(id, { history_limit: 1 })
    await printRecord(self, client, {
      attached: client.is_attached ? 'yes' : `no: ${client.ended}`,
      'access point': client.ap_id,
      technology: client.technology,
      since: client.since,
      'moved from': client.from_ap_id,
      'signal, dBm': client.signal_dbm,
      'SNR, dB': client.snr_db,
      'rate, Mbit/s': client.rate_mbps,
      'throughput, Mbit/s': client.measurement?.throughput_mbps ?? null,
      hears: heardText(client.measurement?.heard ?? {}),
    })
  })
  examples(show, 'manc clients show c0123456789abcdef0123')

  const history = command
    .command('history <id>')
    .description('list the last 1,000 attachments of a client, newest first')
  history.action(async (id: string, _options: unknown, self: Command) => {
    const { history: ended } = await (await connect(self)).clients.get(id, { history_limit: 1000 })
    await printList(self, ended, columns, 'None found.')
  })
  examples(history, 'manc clients history c0123456789abcdef0123')

  const ofAgent = command
    .command('of <agent>')
    .description('list the clients that are attached to an access point')
  ofAgent.action(async (apId: string, _options: unknown, self: Command) => {
    const clients = await Array.fromAsync((await connect(self)).clients.ofAgent(apId))
    await printList(
      self,
      clients,
      [
        { title: 'ID', value: ({ id }) => id },
        { title: 'SINCE', value: ({ since }) => since },
        { title: 'SIGNAL', value: ({ signal_dbm: dbm, snr_db: snr }) => signalText(dbm, snr) },
        { title: 'MBIT/S', value: ({ rate_mbps: rate }) => rate },
        { title: 'FROM', value: ({ from_ap_id: from }) => from },
      ],
      'None found.',
    )
  })
  examples(ofAgent, 'manc clients of wifi-1')
}

/** The access points by id, with their signals in dBm, of LiFi in dB. */
const heardText = (heard: Readonly<Record<string, number>>): string | null =>
  Object.entries(heard)
    .map(([apId, signal]) => `${apId} ${signal}`)
    .join(', ') || null

function signalText(dbm: number | null, snr: number | null): string | null {
  if (dbm !== null) return `${dbm} dBm`
  return snr === null ? null : `${snr} dB`
}
