import Type from 'typebox'
import { accountSettings } from './settings/accounts.ts'
import { agentSettings } from './settings/agents.ts'
import { alarmSettings } from './settings/alarms.ts'
import { auditSettings } from './settings/audit.ts'
import { clientSettings } from './settings/clients.ts'
import { commandSettings } from './settings/commands.ts'
import { decisionSettings } from './settings/decisions.ts'
import { emulationSettings } from './settings/emulations.ts'
import { engineSettings } from './settings/engines.ts'
import { eventSettings } from './settings/events.ts'
import { experimentSettings } from './settings/experiments.ts'
import { jobSettings } from './settings/jobs.ts'
import { keySettings } from './settings/keys.ts'
import type { Limit } from './settings/kinds.ts'
import { mapSettings } from './settings/map.ts'
import { notificationSettings } from './settings/notifications.ts'
import { observabilitySettings } from './settings/observability.ts'
import { requestSettings } from './settings/requests.ts'
import { serverSettings } from './settings/server.ts'
import { socketSettings } from './settings/sockets.ts'

export { type Role, roles } from './settings/server.ts'

/** All settings, by their environment variable. `docs/configuration.md` is generated from this. */
export const Settings = Type.Object({
  ...serverSettings,
  ...engineSettings,
  ...keySettings,
  ...observabilitySettings,
  ...requestSettings,
  ...accountSettings,
  ...agentSettings,
  ...clientSettings,
  ...jobSettings,
  ...socketSettings,
  ...commandSettings,
  ...decisionSettings,
  ...emulationSettings,
  ...experimentSettings,
  ...auditSettings,
  ...eventSettings,
  ...alarmSettings,
  ...notificationSettings,
  ...mapSettings,
})

/** The settings that are limits, with what their documentation needs. */
export const limits: Readonly<Record<string, Limit>> = Object.fromEntries(
  Object.entries(Settings.properties).flatMap(([name, setting]) =>
    'limit' in setting ? [[name, setting.limit as Limit]] : [],
  ),
)

/** Those that `manc_limit_reached_total` counts. */
export const countedLimits: readonly string[] = Object.keys(limits).filter(
  (name) => limits[name]?.isCounted !== false,
)
