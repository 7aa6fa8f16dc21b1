import type { Platform } from '../../module.ts'
import type { FleetModule } from '../fleet/index.ts'
import { Ingester } from './ingester.ts'
import { NoteStore } from './notes.store.ts'
import { Notes } from './notes.ts'
import { sampleLimits } from './samples.ts'

export type IngestModule = ReturnType<typeof createIngestModule>

export function createIngestModule(
  { config, log, postgres, rabbitMq, victoria }: Platform,
  { fleet }: { fleet: FleetModule },
) {
  const noteStore = new NoteStore(postgres)
  const presence = fleet.trackPresence(() => ingester.isCurrent)
  const ingester: Ingester = new Ingester({
    rabbitMq,
    victoria,
    notes: new Notes(noteStore),
    presence,
    limits: sampleLimits(config),
    mostHeldBytes: config.MANC_INGESTER_HELD_BYTES,
    log,
  })
  return { noteStore, background: { ingester: [ingester, presence] } }
}
