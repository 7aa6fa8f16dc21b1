import type { Source } from '../source.ts'
import { source as cpu } from './cpu.ts'
import { source as memory } from './memory.ts'
import { source as modem } from './modem.ts'
import { source as network } from './network.ts'
import { source as temperature } from './temperature.ts'
import { source as uptime } from './uptime.ts'
import { source as wifi } from './wifi.ts'

/** The sources that need no plug-in. */
export const builtInSources: readonly Source[] = [network, cpu, memory, uptime, temperature, wifi, modem]
