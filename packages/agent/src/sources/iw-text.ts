/** What `iw` prints for people, read. Members that a driver does not tell are undefined. */
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
      type: word(block, /^\s+type (.+)$/m) ?? 'unknown',
      ssid: word(block, /^\s+ssid (.+)$/m),
      channel: number(channel?.[1]),
      frequencyMhz: number(channel?.[2]),
      widthMhz: number(channel?.[3]),
      txPowerDbm: number(word(block, /^\s+txpower (-?[\d.]+) dBm$/m)),
    }
  })
}

/** `iw dev X station dump` */
export function parseStations(text: string): Station[] {
  return blocks(text, /^Station (\S+) \(on \S+\)$/m).map(([, block]) => ({
    // The average where there is one: a single frame says little.
    signalDbm: number(word(block, /^\s+signal avg:\s+(-?\d+)/m) ?? word(block, /^\s+signal:\s+(-?\d+)/m)),
    txRateMbps: number(word(block, /^\s+tx bitrate:\s+([\d.]+) MBit\/s/m)),
    rxRateMbps: number(word(block, /^\s+rx bitrate:\s+([\d.]+) MBit\/s/m)),
  }))
}

/** `iw dev X survey dump`: of the channel in use; undefined where the driver has no survey. */
export function parseSurvey(text: string): Survey | undefined {
  const inUse = blocks(text, /^Survey data from (\S+)$/m).find(([, block]) =>
    /^\s+frequency:\s+\d+ MHz \[in use\]/m.test(block),
  )
  if (!inUse) return undefined
  const [, block] = inUse
  return {
    noiseDbm: number(word(block, /^\s+noise:\s+(-?\d+) dBm/m)),
    activeMs: number(word(block, /^\s+channel active time:\s+(\d+) ms/m)),
    busyMs: number(word(block, /^\s+channel busy time:\s+(\d+) ms/m)),
  }
}

/** Each heading's word, with the text up to the next heading. */
function blocks(text: string, heading: RegExp): [string, string][] {
  const found = [...text.matchAll(new RegExp(heading.source, 'gm'))]
  return found.map((match, n) => {
    const start = match.index + match[0].length
    return [match[1] ?? '', text.slice(start, found[n + 1]?.index ?? text.length)]
  })
}

const word = (text: string, pattern: RegExp) => pattern.exec(text)?.[1]

const number = (text: string | undefined) => (text === undefined ? undefined : Number(text))
