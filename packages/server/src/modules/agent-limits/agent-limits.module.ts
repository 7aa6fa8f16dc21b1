import type { Platform } from '../../module.ts'
import type { DisconnectionsModule } from '../disconnections/index.ts'
import { AgentRates } from './agent-rates.cache.ts'
import { ConfigurationChanges } from './configuration-changes.cache.ts'
import { SampleRates } from './sample-rates.cache.ts'
import { suspensionsLoop } from './suspensions.loop.ts'
import { SuspensionService } from './suspensions.service.ts'
import { SuspensionStore } from './suspensions.store.ts'

export type AgentLimitsModule = ReturnType<typeof createAgentLimitsModule>

export function createAgentLimitsModule(
  { config, log, postgres, limits }: Platform,
  { disconnections: { disconnections } }: { disconnections: DisconnectionsModule },
) {
  const suspensions = new SuspensionService({
    postgres,
    store: new SuspensionStore(postgres),
    disconnections,
    log,
  })
  const rates = {
    messagesPerSecond: config.MANC_AGENT_MESSAGES_PER_SECOND,
    samplesPerSecond: config.MANC_AGENT_SAMPLES_PER_SECOND,
    bytesPerSecond: config.MANC_AGENT_BYTES_PER_SECOND,
    backlogS: config.MANC_AGENT_BACKLOG_SECONDS,
    limits,
  }
  const loop = suspensionsLoop(suspensions, log)
  return {
    suspensions,
    rates: new AgentRates({ ...rates, suspensions }),
    httpRates: new SampleRates(rates),
    configurationChanges: new ConfigurationChanges({
      perMinute: config.MANC_AGENT_ONBOARDINGS_PER_MINUTE,
      limits,
    }),
    background: { ingester: [loop], subscriber: [loop] },
    sweep: () => suspensions.sweep(),
  }
}
