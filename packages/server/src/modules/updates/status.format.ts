import { payloadOf } from '../ingest/index.ts'

export interface AgentStatus {
  status: string
  /** Start of the connection that it is about, by the agent's clock. */
  connectedAt: Date | undefined
}

const maxLength = 64

/**
 * A message on `agent/<ap_id>/status`: `online`, `{"status": "online"}` and the like, shortened to a label. With
 * `connected_at`, messages of an older connection of the agent can be recognized.
 */
export function parseStatus(text: string): AgentStatus {
  const message = payloadOf(text)
  const status = message?.['status'] ?? message?.['state']
  return {
    status: (typeof status === 'string' ? status : text)
      .trim()
      .slice(0, maxLength)
      .toWellFormed()
      // oxlint-disable-next-line no-control-regex -- removed on purpose
      .replaceAll(/[\u0000-\u001f]/g, ''),
    connectedAt: timeOf(message?.['connected_at']),
  }
}

/** Within the years that PostgreSQL can store; a Date allows more. */
function timeOf(value: unknown): Date | undefined {
  const time = new Date(typeof value === 'string' ? value : Number.NaN)
  const year = time.getUTCFullYear()
  return year >= 2000 && year < 2200 ? time : undefined
}

export const isDisconnect = (status: string): boolean =>
  /^"?(off|down|gone|left|lost|dead|disconnect)/i.test(status)
