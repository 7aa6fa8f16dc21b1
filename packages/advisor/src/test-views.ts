import type { AccessPointView, ClientView, Technology, View } from './view.types.ts'

/** An access point that is on and idle. */
export function accessPoint(
  technology: Technology,
  x: number,
  more: Partial<AccessPointView> = {},
): AccessPointView {
  return {
    id: `${technology}-${x}`,
    technology,
    x,
    y: 0,
    isOn: true,
    isAsleep: false,
    load: 0,
    utilisation: 0,
    others: 0,
    channel: x,
    clients: 0,
    powerW: 10,
    isBlocked: false,
    ...more,
  }
}

/** A client with signals from access points, by index; the first one is its own. */
export function client(
  number: number,
  signals: readonly (readonly [number, number])[],
  more: Partial<ClientView> = {},
): ClientView {
  const [[accessPointIndex, signal] = [-1, 0]] = signals
  return {
    id: `client-${number}`,
    accessPoint: accessPointIndex,
    sinceS: -1000,
    signal,
    rateMbps: 300,
    deliveredMbps: 5,
    heard: signals.map(([index, strength]) => ({ accessPoint: index, signal: strength })),
    heardS: 0,
    ...more,
  }
}

/** A view in which clients have just reported what they hear. */
export function viewOf(
  s: number,
  accessPoints: readonly AccessPointView[],
  clients: readonly ClientView[],
): View {
  for (const one of clients) one.heardS = s
  accessPoints.forEach((one, index) => {
    one.clients = clients.filter((each) => each.accessPoint === index).length
  })
  return { s, accessPoints, clients }
}
