const statuses = ['queued', 'sent', 'failed'] as const

/** The filter of the log, stored in the address. */
interface DeliveriesSearch {
  status?: (typeof statuses)[number]
}

/** Invalid parameters are ignored. */
export function parseDeliveriesSearch({ status }: Record<string, unknown>): DeliveriesSearch {
  const found = statuses.find((each) => each === status)
  return found ? { status: found } : {}
}
