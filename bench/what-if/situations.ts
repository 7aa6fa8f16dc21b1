import type { ExperimentWorld, ExperimentWorldName, SteeringPolicyName, WhatIfCommand } from '@manc/contract'
import type { NetworkPlace } from '@manc/contract/experiment-messages'
import { type BuiltWorld, siteOf, worldOf } from '@manc/emulator/experiment'

/** What is asked about: a policy or a command. */
export interface Change {
  policy?: SteeringPolicyName
  command?: WhatIfCommand
}

/** A network at a time, and a question about its next half hour. */
export interface Situation {
  world: string
  build: (seed: string) => BuiltWorld['spec']
  atS: number
  /** Chosen by what is known of the network. */
  change: (places: readonly NetworkPlace[]) => Change
}

const hourS = 3600
const durationsS = { lecture_rush: 2400, factory_hall: 7200, stadium: 1800 } as const

/** People and demand change over hours, so that rush hours are longer than in the worlds of the steering bench. */
const rushS = 3 * hourS

/** At a part of the rush hour, or of the two hours of the factory. */
function during(name: keyof typeof durationsS, part: number, change: Situation['change']): Situation {
  const seconds = name === 'factory_hall' ? durationsS[name] : rushS
  return { ...named(name, seconds / durationsS[name]), atS: Math.round(part * seconds), change }
}

const campus = (hour: number, change: Situation['change']): Situation => ({
  ...named('campus_day', 1),
  atS: hour * hourS,
  change,
})

const named = (name: ExperimentWorldName, part: number) => ({
  world: name,
  build: (seed: string) => siteOf(name, seed, part).spec,
})

/** An office with the usual mix of browsing, video and calls, and rooms with LiFi: no part of the steering bench. */
const officeWorld: ExperimentWorld = {
  access_points: [
    { technology: '5G', count: 1, clients: 40, east_m: 70 },
    { technology: 'WiFi', count: 6, clients: 30, spacing_m: 16 },
    { technology: 'LiFi', count: 4, clients: 5, spacing_m: 6, room_m: 16, north_m: 14 },
  ],
  scenario: 'steady',
  client_mix: { web: 0.5, video: 0.3, call: 0.1, upload: 0.1 },
}

const office = (atS: number, change: Situation['change']): Situation => ({
  world: 'office',
  build: (seed) => worldOf(officeWorld, seed, 2 * hourS).spec,
  atS,
  change,
})

type Technology = NetworkPlace['technology']

const policy = (name: SteeringPolicyName) => () => ({ policy: name })

/** A command at the access point of a technology with the most clients. */
const atBusiest = (technology: Technology, command: string) => (places: readonly NetworkPlace[]) => ({
  command: { ap_id: byClients(places, technology)[0]?.ap_id ?? '', command },
})

const atQuietest = (technology: Technology, command: string) => (places: readonly NetworkPlace[]) => ({
  command: { ap_id: byClients(places, technology).at(-1)?.ap_id ?? '', command },
})

/** Some clients from the one with the most clients to the nearest one of a technology. */
const steering = (from: Technology, to: Technology, count: number) => (places: readonly NetworkPlace[]) => {
  const [busiest] = byClients(places, from)
  if (!busiest) return {}
  const [nearest] = places
    .filter((place) => place.technology === to && place !== busiest)
    .toSorted((a, b) => metresOf(a, busiest) - metresOf(b, busiest))
  return { command: { ap_id: busiest.ap_id, command: `steer_client ${nearest?.ap_id} ${count}` } }
}

function byClients(places: readonly NetworkPlace[], technology: Technology): NetworkPlace[] {
  return places
    .filter((place) => place.technology === technology)
    .toSorted((a, b) => b.clients - a.clients || (a.ap_id < b.ap_id ? -1 : 1))
}

/** Only for comparisons. */
const metresOf = (a: NetworkPlace, b: NetworkPlace) =>
  Math.hypot(a.latitude - b.latitude, 0.62 * (a.longitude - b.longitude))

/** Five worlds at different times, with policies and with commands of all kinds. */
export const situations: readonly Situation[] = [
  campus(11, policy('best-experience')),
  campus(14, atBusiest('WiFi', 'sleep')),
  campus(9.5, atBusiest('WiFi', 'set_power 5')),
  campus(16, steering('WiFi', 'WiFi', 60)),
  campus(3, policy('energy-first')),
  campus(20, atBusiest('5G', 'power_off')),
  during('lecture_rush', 0.45, policy('load-balancing')),
  during('lecture_rush', 0.5, steering('WiFi', 'WiFi', 40)),
  during('lecture_rush', 0.4, atBusiest('WiFi', 'power_off')),
  during('lecture_rush', 0.55, policy('usteer')),
  during('lecture_rush', 0.48, atBusiest('WiFi', 'set_channel 6')),
  during('stadium', 0.45, policy('best-experience')),
  during('stadium', 0.5, atBusiest('5G', 'sleep')),
  during('stadium', 0.4, policy('strongest')),
  during('stadium', 0.52, atBusiest('WiFi', 'set_power 23')),
  during('factory_hall', 0.3, policy('lifi-first')),
  during('factory_hall', 0.45, atBusiest('WiFi', 'power_off')),
  during('factory_hall', 0.6, steering('WiFi', '5G', 60)),
  office(hourS, atQuietest('WiFi', 'sleep')),
  office(1.2 * hourS, policy('dawn')),
]
