// Generated from the contract by `npm run docs`. Do not edit.
import { Agents } from '../agents.ts'
import { Audit } from '../audit.ts'
import { Decisions } from '../decisions.ts'
import { Events } from '../events.ts'
import { Experiments } from '../experiments.ts'
import { Jobs } from '../jobs.ts'
import { Users } from '../users.ts'
import type { Transport } from '../transport.ts'
import { AlarmsMethods, AppsMethods, CallbacksMethods, ClientsMethods, EmulationsMethods, EnrolmentMethods, NotificationsMethods, RolloutsMethods, SystemMethods, ViewsMethods } from './methods.ts'

export class Resources {
  readonly users: Users
  readonly agents: Agents
  readonly rollouts: RolloutsMethods
  readonly enrolment: EnrolmentMethods
  readonly apps: AppsMethods
  readonly callbacks: CallbacksMethods
  readonly jobs: Jobs
  readonly emulations: EmulationsMethods
  readonly views: ViewsMethods
  readonly clients: ClientsMethods
  readonly events: Events
  readonly alarms: AlarmsMethods
  readonly decisions: Decisions
  readonly experiments: Experiments
  readonly notifications: NotificationsMethods
  readonly audit: Audit
  readonly system: SystemMethods

  constructor(transport: Transport) {
    this.users = new Users(transport)
    this.agents = new Agents(transport)
    this.rollouts = new RolloutsMethods(transport)
    this.enrolment = new EnrolmentMethods(transport)
    this.apps = new AppsMethods(transport)
    this.callbacks = new CallbacksMethods(transport)
    this.jobs = new Jobs(transport)
    this.emulations = new EmulationsMethods(transport)
    this.views = new ViewsMethods(transport)
    this.clients = new ClientsMethods(transport)
    this.events = new Events(transport)
    this.alarms = new AlarmsMethods(transport)
    this.decisions = new Decisions(transport)
    this.experiments = new Experiments(transport)
    this.notifications = new NotificationsMethods(transport)
    this.audit = new Audit(transport)
    this.system = new SystemMethods(transport)
  }
}
