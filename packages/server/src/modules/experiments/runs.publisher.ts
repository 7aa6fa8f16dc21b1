import { exchanges, experimentRoutingKey } from '@manc/contract'
import type { ExperimentRunMessage } from '@manc/contract/experiment-messages'
import type { RabbitMq } from '../../engines/rabbitmq/index.ts'
import type { ExperimentChangeStore } from './experiment-changes.store.ts'
import { isKnownPolicy } from './experiment-members.rules.ts'
import type { OfferedRun } from './experiments.types.ts'
import { commandPolicy } from './what-if.rules.ts'

interface Options {
  changes: ExperimentChangeStore
  rabbitMq: RabbitMq
}

/** Runs in the queue: enough for all emulators, and few enough that the first run of another owner is executed soon. */
const queued = { min: 4, max: 64 }

/** Offers runs to emulators, through the broker. */
export class RunPublisher {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  /** A run that cannot be published is claimed again after some seconds. */
  async offerWaiting(): Promise<void> {
    const runs = await this.#options.changes.claimWaiting(queued)
    const results = await Promise.allSettled(runs.map((run) => this.#offer(run)))
    const failed = results.find((result) => result.status === 'rejected')
    if (failed) throw failed.reason
  }

  /** Published before it is recorded: of a run that is published twice, one emulator gets the lease. */
  async #offer(run: OfferedRun): Promise<void> {
    const { changes, rabbitMq } = this.#options
    await rabbitMq.publish({
      exchange: exchanges.jobs,
      routingKey: experimentRoutingKey,
      content: Buffer.from(JSON.stringify(messageOf(run))),
      messageId: run.id,
    })
    await changes.setOffered(run.id)
  }
}

function messageOf(run: OfferedRun): ExperimentRunMessage {
  const { id, world, places, command, durationS, seed, policy, documents } = run
  const document = documents.find(({ name }) => name === policy)
  return {
    run_id: id,
    world,
    duration_s: durationS,
    seed,
    policy: document ? { document } : isKnownPolicy(policy) ? { name: policy } : {},
    ...(places && { places }),
    ...(command && policy === commandPolicy && { command }),
  }
}
