/**
 * The queue in front of the air: M/M/1/K (Kleinrock 1975, Queueing Systems I, section 3.6). Below saturation it waits as
 * M/M/1 does, 1 / (1 - load); beyond it waiting is bounded by the room and what does not fit is lost.
 */

/** The share of packets that find the queue full. */
export function lossOf(load: number, room: number): number {
  if (Math.abs(1 - load) < nearlyOne) return 1 / (room + 1)
  const filled = load ** room
  return ((1 - load) * filled) / (1 - load * filled)
}

/** How long a packet takes, in service times: 1 when nobody else is there. */
export function roundsOf(load: number, room: number): number {
  if (load < 1e-6) return 1
  const beyond = load ** (room + 1)
  const inside =
    Math.abs(1 - load) < nearlyOne ? room / 2 : load / (1 - load) - ((room + 1) * beyond) / (1 - beyond)
  return inside / (load * (1 - lossOf(load, room)))
}

const nearlyOne = 1e-5
