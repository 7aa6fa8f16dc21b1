/**
 * The queue in front of the air: M/M/1/K (Kleinrock 1975, Queueing Systems I, section 3.6). Below saturation it waits as
 * M/M/1 does, 1 / (1 - load); beyond it waiting is bounded by the capacity and what does not fit is lost.
 */

/** The share of packets that find the queue full. */
export function lossOf(load: number, capacity: number): number {
  if (Math.abs(1 - load) < nearlyOne) return 1 / (capacity + 1)
  const filled = load ** capacity
  return ((1 - load) * filled) / (1 - load * filled)
}

/** The time of a packet in the queue and in service, in service times: 1 with an empty queue. */
export function roundsOf(load: number, capacity: number): number {
  if (load < 1e-6) return 1
  const beyond = load ** (capacity + 1)
  const inside =
    Math.abs(1 - load) < nearlyOne
      ? capacity / 2
      : load / (1 - load) - ((capacity + 1) * beyond) / (1 - beyond)
  return inside / (load * (1 - lossOf(load, capacity)))
}

const nearlyOne = 1e-5
