import type { Refusal, ValidationItem } from '@manc/contract'

/** Names of Prometheus. Other statuses keep the usual body: 401 and 403 are not errors of a query. */
const errorTypes: Record<number, string> = {
  400: 'bad_data',
  413: 'bad_data',
  422: 'bad_data',
  429: 'unavailable',
  500: 'internal',
  503: 'unavailable',
}

/** An error with the members that clients of Prometheus read, besides the usual ones. */
export function withPrometheusError(status: number, payload: unknown): unknown {
  const errorType = errorTypes[status]
  if (errorType === undefined) return payload
  const { detail } = payload as Refusal | { detail: ValidationItem[] }
  if (typeof detail === 'string') return { status: 'error', errorType, error: detail, detail }
  const isOfStore = detail.some(({ type }) => type === 'execution')
  const error = detail.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`).join('; ')
  return { status: 'error', errorType: isOfStore ? 'execution' : errorType, error, detail }
}
