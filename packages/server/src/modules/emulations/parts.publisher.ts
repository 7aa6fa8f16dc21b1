import { exchanges } from '@manc/contract'
import type { PartMessage, PartSpec } from '@manc/contract/emulation-parts'
import type { RabbitMq } from '../../engines/rabbitmq/index.ts'
import type { Secrets } from '../../secrets.ts'
import type { EmulationStore, WaitingPart } from './emulations.store.ts'
import { Layout } from './layout.rules.ts'
import type { Position } from './locations.format.ts'
import { partSizeOf, passwordKeyIdOf, passwordOf, seedInMessage, specNumbersOf } from './parts.rules.ts'

interface Options {
  store: EmulationStore
  rabbitMq: RabbitMq
  secrets: Secrets
}

/** Builds and publishes the messages from which emulators take parts. Passwords exist in these messages only. */
export class PartPublisher {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  /** One message per part that no emulator has taken. */
  async messagesOf(jobNumber: string): Promise<{ id: string; content: Buffer }[]> {
    return (await this.#options.store.waitingParts(jobNumber)).map((part) => this.#messageOf(part))
  }

  /** Published before it is recorded: of a part that is published twice, one emulator gets the lease. */
  async publishAgain(part: WaitingPart): Promise<void> {
    const { store, rabbitMq } = this.#options
    const { id, content } = this.#messageOf(part)
    await rabbitMq.publish({
      exchange: exchanges.jobs,
      routingKey: 'emulator_spinup',
      content,
      messageId: id,
    })
    await store.setWaiting(part)
  }

  #messageOf(waiting: WaitingPart) {
    const { jobNumber, part, parts, nonce, beginsAt, ...texts } = waiting
    const { secrets } = this.#options
    const keyId = passwordKeyIdOf(secrets, waiting)
    const specs = JSON.parse(texts.specs) as PartSpec[]
    const layout = new Layout(jobNumber, specs, JSON.parse(texts.positions) as Position[][])
    const size = partSizeOf(layout.length, parts)
    const placed = layout.agents((part - 1) * size, part * size)
    const message: PartMessage = {
      job_number: jobNumber,
      task_type: 'emulator_spinup',
      data: {
        part,
        parts,
        begins_at: beginsAt.toISOString(),
        specs: Object.fromEntries(
          specNumbersOf(placed).map((number) => {
            // Rows of version 1.1 have the texts of the locations, with which a message might be too large.
            const { locations: _locations, ...spec } = specs[number] as PartSpec & { locations?: unknown }
            return [number, { ...spec, ...(spec.seed !== undefined && { seed: seedInMessage(spec.seed) }) }]
          }),
        ),
        agents: placed.map((each) => ({
          ...each,
          password: passwordOf(secrets, each.ap_id, nonce, keyId),
        })),
      },
    }
    return { id: `${jobNumber}.${part}`, content: Buffer.from(JSON.stringify(message)) }
  }
}
