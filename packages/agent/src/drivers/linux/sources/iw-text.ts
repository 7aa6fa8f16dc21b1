/** Parses the text output of `iw`. Members that a driver does not report are undefined. */
export interface WifiInterface {
  name: string
  /** `AP`, `managed`, `mesh point`, … */
  type: string
  ssid: string | undefined
  channel: number | undefined
  frequencyMhz: number | undefined
  widthMhz: number | undefined
  txPowerDbm: number | undefined
}

export interface Station {
  address: string
  connectedS: number | undefined
  signalDbm: number | undefined
  txRateMbps: number | undefined
  rxRateMbps: number | undefined
}

export interface Survey {
  noiseDbm: number | undefined
  activeMs: number | undefined
  busyMs: number | undefined
}

/** `iw dev` */
export function parseDev(text: string): WifiInterface[] {
  return blocks(text, /^\s+Interface (\S+)$/m).map(([name, block]) => {
    const channel = /^\s+channel (\d+) \((\d+) MHz\)(?:, width: (\d+) MHz)?/m.exec(block)
    return {
      name,
      type: match(block, /^\s+type (.+)$/m) ?? 'unknown',
      ssid: match(block, /^\s+ssid (.+)$/m),
      channel: number(channel?.[1]),
      frequencyMhz: number(channel?.[2]),
      widthMhz: number(channel?.[3]),
      txPowerDbm: number(match(block, /^\s+txpower (-?[\d.]+) dBm$/m)),
    }
  })
}

/** `iw dev X station dump` */
export function parseStations(text: string): Station[] {
  return blocks(text, /^Station (\S+) \(on \S+\)$/m).map(([address, block]) => ({
    address,
    connectedS: number(match(block, /^\s+connected time:\s+(\d+) seconds/m)),
    // The average if there is one: the other value is of a single frame.
    signalDbm: number(match(block, /^\s+signal avg:\s+(-?\d+)/m) ?? match(block, /^\s+signal:\s+(-?\d+)/m)),
    txRateMbps: number(match(block, /^\s+tx bitrate:\s+([\d.]+) MBit\/s/m)),
    rxRateMbps: number(match(block, /^\s+rx bitrate:\s+([\d.]+) MBit\/s/m)),
  }))
}

/** `iw dev X survey dump`: the channel in use; undefined if the driver has no survey. */
export function parseSurvey(text: string): Survey | undefined {
  const inUse = blocks(text, /^Survey data from (\S+)$/m).find(([, block]) =>
    /^\s+frequency:\s+\d+ MHz \[in use\]/m.test(block),
  )
  if (!inUse) return undefined
  const [, block] = inUse
  return {
    noiseDbm: number(match(block, /^\s+noise:\s+(-?\d+) dBm/m)),
    activeMs: number(match(block, /^\s+channel active time:\s+(\d+) ms/m)),
    busyMs: number(match(block, /^\s+channel busy time:\s+(\d+) ms/m)),
  }
}

/** The name in each heading, with the text up to the next heading. */
function blocks(text: string, heading: RegExp): [string, string][] {
  const found = [...text.matchAll(new RegExp(heading.source, 'gm'))]
  return found.map((head, n) => {
    const start = head.index + head[0].length
    return [head[1] ?? '', text.slice(start, found[n + 1]?.index ?? text.length)]
  })
}

const match = (text: string, pattern: RegExp) => pattern.exec(text)?.[1]

const number = (text: string | undefined) => (text === undefined ? undefined : Number(text))
