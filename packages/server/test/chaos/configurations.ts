import { sized } from '@manc/harness/load'
import {
  bothDatabases,
  type Choice,
  type CreateFault,
  clockJump,
  cutAgents,
  fullDisk,
  just,
  kill,
  leader,
  partition,
  pause,
  primary,
  rollingRestart,
  slow,
  standby,
  twoBrokers,
} from './faults.ts'
import { brokers, coordinators, nodes, stores } from './health.ts'
import { serverNames } from './servers.ts'

export interface Configuration {
  name: string
  seed: number
  createFault: CreateFault
  /** From when on the time until operations succeed again counts. */
  recoveryFrom: 'begin' | 'end'
  /** The longest time that the fault lasts. */
  mostS: number
  /** How long a token may be accepted after its revocation was acknowledged. */
  revocationMs: number
  isQuick: boolean
}

interface Options {
  /** The part of the service that is lost has no substitute: it can work again only after the fault. */
  untilEnd?: true
  mostS?: number
  revocationMs?: number
  /** Part of the quick form. */
  quick?: true
}

/** A process that reaches neither the broker nor the database refuses all tokens after 5 s. */
const isolatedRevocationMs = 6000
/** What the server promises with one that it can reach. The quick form also runs on machines that are slow at times. */
const revocationMs = sized(1000, isolatedRevocationMs)
const hangS = 20
const lossS = 40

const brokersOtherThanLeader: Choice = async (deployment) => {
  const [first] = await leader(deployment)
  return brokers.filter((node) => node !== first)
}
const coordinatorNodes = just(...coordinators)
const storeNodes = just(...stores)
const brokerNodes = just(...brokers)
const restarted = [...nodes, ...serverNames] as const

type Row = [name: string, createFault: CreateFault, options?: Options]

const untilEnd = { untilEnd: true } as const
const hang = { mostS: hangS } as const

const killed: Row[] = [
  ['kill-api', kill(just('api1'))],
  ['kill-subscriber', kill(just('subscriber1'))],
  ['kill-ingester', kill(just('ingester1')), { quick: true }],
  ['kill-all-api', kill(just('api1', 'api2')), untilEnd],
  ['kill-all-subscribers', kill(just('subscriber1', 'subscriber2'))],
  ['kill-all-ingesters', kill(just('ingester1', 'ingester2')), untilEnd],
  ['kill-broker-leader', kill(leader), { quick: true }],
  ['kill-postgres-primary', kill(primary), { quick: true }],
  ['kill-postgres-standby', kill(standby)],
  ['kill-etcd', kill(just('etcd-1'))],
  ['kill-store-1', kill(just('victoria-1')), { quick: true }],
  ['kill-store-2', kill(just('victoria-2'))],
]

const paused: Row[] = [
  ['pause-api', pause(just('api1')), { ...hang, quick: true }],
  ['pause-subscriber', pause(just('subscriber1')), hang],
  ['pause-ingester', pause(just('ingester1')), hang],
  ['pause-broker-leader', pause(leader), hang],
  ['pause-postgres-primary', pause(primary), hang],
  ['pause-postgres-standby', pause(standby), hang],
  ['pause-etcd', pause(just('etcd-2')), hang],
  ['pause-store-1', pause(just('victoria-1')), hang],
  ['pause-store-2', pause(just('victoria-2')), hang],
]

const majorities: Row[] = [
  ['lose-two-brokers', kill(twoBrokers), untilEnd],
  ['lose-both-databases', kill(bothDatabases), untilEnd],
  ['lose-two-etcd', kill(just('etcd-1', 'etcd-2')), untilEnd],
  ['lose-both-stores', kill(storeNodes), untilEnd],
]

const partitions: Row[] = [
  ['partition-api-primary', partition(just('api1'), primary), { quick: true }],
  ['partition-subscriber-primary', partition(just('subscriber1'), primary)],
  ['partition-ingester-primary', partition(just('ingester1'), primary)],
  ['partition-api-brokers', partition(just('api1'), brokerNodes)],
  ['partition-subscriber-brokers', partition(just('subscriber1'), brokerNodes)],
  ['partition-ingester-brokers', partition(just('ingester1'), brokerNodes)],
  ['partition-api-stores', partition(just('api1'), storeNodes)],
  ['partition-ingester-store', partition(just('ingester1'), just('victoria-1'))],
  [
    'partition-api-everything',
    partition(just('api1'), just(...nodes)),
    { revocationMs: isolatedRevocationMs },
  ],
  ['partition-agents-brokers', cutAgents('both'), untilEnd],
  ['partition-broker-leader-others', partition(leader, brokersOtherThanLeader)],
  ['partition-two-brokers', partition(just('rabbitmq-1'), just('rabbitmq-2'))],
  ['partition-primary-standby', partition(primary, standby)],
  ['partition-primary-etcd', partition(primary, coordinatorNodes)],
]

const oneWay: Row[] = [
  ['one-way-api-to-primary', partition(just('api1'), primary, 'there')],
  ['one-way-primary-to-api', partition(just('api1'), primary, 'back')],
  ['one-way-primary-to-standby', partition(primary, standby, 'there')],
  ['one-way-standby-to-primary', partition(primary, standby, 'back')],
  ['one-way-broker-to-others', partition(leader, brokersOtherThanLeader, 'there')],
  ['one-way-ingester-to-store', partition(just('ingester1'), just('victoria-1'), 'there')],
  ['one-way-store-to-ingester', partition(just('ingester1'), just('victoria-1'), 'back')],
  ['one-way-brokers-to-agents', cutAgents('back'), untilEnd],
]

const disks: Row[] = [
  ['full-disk-store', fullDisk(just('victoria-1'), just('victoria-1'), '512m')],
  // Below the limit of 50 MB the broker accepts no messages.
  ['full-disk-broker', fullDisk(just('rabbitmq-1'), just('rabbitmq-1'), '768m', 20_000_000), untilEnd],
  ['full-disk-primary', fullDisk(bothDatabases, primary, '768m'), untilEnd],
]

const clocks: Row[] = (['api1', 'subscriber1', 'ingester1'] as const).flatMap((name): Row[] => [
  [`clock-ahead-${name}`, clockJump(name, 60)],
  [`clock-behind-${name}`, clockJump(name, -60)],
])

const slowNetworks: Row[] = [
  ['slow-api-primary', slow('api1', primary, 200)],
  ['slow-subscriber-primary', slow('subscriber1', primary, 200)],
  ['slow-ingester-brokers', slow('ingester1', brokerNodes, 200)],
  ['slow-ingester-stores', slow('ingester1', storeNodes, 400)],
]

const restarts: Row[] = [
  ['restart-servers', rollingRestart(serverNames, 1000), untilEnd],
  ['restart-everything', rollingRestart(restarted, 1000), untilEnd],
]

const rows = [
  ...killed,
  ...paused,
  ...majorities,
  ...partitions,
  ...oneWay,
  ...disks,
  ...clocks,
  ...slowNetworks,
  ...restarts,
]

export const configurations: readonly Configuration[] = rows.map(([name, createFault, options = {}], n) => ({
  name,
  seed: 1000 + n,
  createFault,
  recoveryFrom: options.untilEnd ? 'end' : 'begin',
  mostS: options.mostS ?? lossS,
  revocationMs: options.revocationMs ?? revocationMs,
  isQuick: options.quick ?? false,
}))
