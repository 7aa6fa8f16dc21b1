const firstS = 5
const maxS = 3600

/** Seconds until the next attempt: twice as long after each, with jitter, so that replicas do not all try at once. */
export const retryInS = (attempts: number): number =>
  Math.min(firstS * 2 ** Math.max(0, attempts - 1), maxS) * (0.75 + Math.random() / 2)

/** The receiver refuses this message, whenever it is sent: wrong, too large, of another type, or the target is gone. */
const finalStatuses = new Set([400, 405, 406, 410, 411, 413, 414, 415, 422])

export const isFinal = (status: number): boolean => finalStatuses.has(status)
