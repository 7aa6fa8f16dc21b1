import type { Scenario } from '@manc/sdk'

interface ScenarioText {
  title: string
  about: string
  /** Load from 0 to 1, over the part of the duration from 0 to 1. */
  load: (part: number) => number
}

const peak = (part: number) => Math.exp(-(((part - 0.5) / 0.16) ** 2))
const ripple = (part: number) => 0.03 * Math.sin(part * 61) + 0.02 * Math.sin(part * 113)

/** A description and a sketch of the load for each scenario. */
export const scenarioTexts: Record<Scenario, ScenarioText> = {
  daily: {
    title: 'Typical day',
    about: 'Load follows the hour and the day of the week.',
    load: (part) => 0.12 + 0.62 * Math.max(0, Math.sin((part - 0.12) * Math.PI * 1.25)) + ripple(part),
  },
  steady: {
    title: 'Steady',
    about: 'The same share of clients is active at any hour.',
    load: (part) => 0.5 + ripple(part),
  },
  rush_hour: {
    title: 'Rush hour',
    about: 'Clients and demand rise to a peak in the middle, then fall.',
    load: (part) => 0.18 + 0.72 * peak(part) + ripple(part),
  },
  lifi_beam_blocked: {
    title: 'LiFi beam blocked',
    about: 'The light is blocked repeatedly; clients move to 5G and WiFi.',
    load: (part) => ((part * 5) % 1 > 0.62 && part < 0.98 ? 0.1 : 0.68) + ripple(part),
  },
  backhaul_cut: {
    title: 'Backhaul cut',
    about: 'Radio up, backhaul down for a period in the middle.',
    load: (part) => (part > 0.36 && part < 0.64 ? 0.04 : 0.62 + ripple(part)),
  },
  access_point_failure: {
    title: 'Access point failure',
    about: 'Each access point is down for a while, at a different time.',
    load: (part) => (part > 0.56 && part < 0.74 ? 0.02 : 0.55 + ripple(part)),
  },
}

export const scenarios = Object.keys(scenarioTexts) as Scenario[]

const steps = 96

/** The path of the sketch in an SVG of this size. */
export function pathOf(scenario: Scenario, width: number, height: number): string {
  const { load } = scenarioTexts[scenario]
  return Array.from({ length: steps + 1 }, (_, n) => {
    const y = height - 2 - load(n / steps) * (height - 4)
    return `${n === 0 ? 'M' : 'L'}${((n / steps) * width).toFixed(1)} ${y.toFixed(1)}`
  }).join('')
}
