import { FiveG } from './five-g.ts'
import { LiFi } from './lifi.ts'
import type { Radio, Technology } from './types.ts'
import { WiFi } from './wifi.ts'

/** Those that do not overlap. */
export const usualWifiChannels = [36, 52, 100, 116, 132, 149]

export function radioOf(technology: Technology, seed: number): Radio {
  switch (technology) {
    case '5G':
      return new FiveG()
    case 'WiFi':
      return new WiFi()
    case 'LiFi':
      return new LiFi(seed)
  }
}
