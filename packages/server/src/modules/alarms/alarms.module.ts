import type { FastifyInstance } from 'fastify'
import { Loop } from '../../loop.ts'
import type { Background, Platform } from '../../module.ts'
import type { EventsModule } from '../events/index.ts'
import type { UsersModule } from '../users/index.ts'
import { alarmRoutes } from './alarms.routes.ts'
import { AlarmService } from './alarms.service.ts'
import { AlarmStore } from './alarms.store.ts'
import { alertRoutes } from './alerts.routes.ts'
import { ChangeStore } from './changes.store.ts'
import { ClearanceStore } from './clearance.store.ts'
import { ContactService } from './contacts.service.ts'
import { ContactStore } from './contacts.store.ts'
import { ruleRoutes } from './rules.routes.ts'
import { RuleService } from './rules.service.ts'
import { RuleStore } from './rules.store.ts'
import { rulesFileLoop } from './rules-file.loop.ts'
import { StoreRestarts } from './store-restarts.service.ts'

const maxIntervalMs = 5000

export type AlarmsModule = ReturnType<typeof createAlarmsModule>

export function createAlarmsModule(
  { config, log, postgres, victoria, metrics, limits }: Platform,
  uses: { events: EventsModule; users: UsersModule },
) {
  const intervalS = config.MANC_ALARM_INTERVAL_SECONDS
  const lookbackS = config.MANC_ALARM_LOOKBACK_SECONDS
  const intervalMs = Math.min(intervalS * 1000, maxIntervalMs)
  const ruleStore = new RuleStore(postgres)
  const clearance = new ClearanceStore(victoria.reads, lookbackS)
  const alarms = new AlarmService({
    postgres,
    events: uses.events.events,
    store: new AlarmStore(postgres),
    changes: new ChangeStore(),
    rules: ruleStore,
    clearance,
    storeRestarts: new StoreRestarts(victoria.stores),
    usernameOf: async (username) => (await uses.users.users.get(username)).username ?? username,
    flapping: config.MANC_ALARM_FLAPPING,
    retentionDays: config.MANC_ALARM_DAYS,
  })
  const rules = new RuleService({
    postgres,
    store: ruleStore,
    alarms,
    clearance,
    maxRules: config.MANC_ALARM_RULES,
    onLimit: () => limits.count('MANC_ALARM_RULES'),
    onChange: () => writing?.runNow(),
    intervalS,
    lookbackS,
  })
  const contacts = new ContactService(new ContactStore(postgres))
  const path = config.MANC_VMALERT_RULES_PATH
  const writing = path === undefined ? undefined : rulesFileLoop({ rules, path, intervalMs, log })
  const loop = (name: string, run: () => Promise<void>) => new Loop({ name, intervalMs, log, run })
  return {
    alarms,
    contacts,
    routes(api: FastifyInstance) {
      alarmRoutes(api, alarms)
      ruleRoutes(api, rules)
    },
    internalRoutes: alertRoutes({
      alarms,
      rules,
      contacts,
      secret: config.MANC_ALARM_SECRET,
      countAlerts: metrics.counter({
        name: 'manc_alerts_total',
        help: 'Firing alerts that vmalert has sent to this process, by result',
        labels: ['result'],
        initial: [{ result: 'received' }, { result: 'failed' }],
      }),
      log,
    }),
    sweep: () => alarms.sweep(),
    background: {
      all: [{ start: () => rules.syncBuiltin() }],
      // Any number of replicas: each statement changes only what is not changed yet.
      subscriber: [
        loop('alarms of the fleet', () => alarms.followFleet()),
        loop('clearing alarms', () => alarms.clearRecovered()),
        ...(writing ? [writing] : []),
      ] satisfies Background[],
    },
  }
}
