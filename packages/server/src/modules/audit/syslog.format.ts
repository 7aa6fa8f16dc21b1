import type { AuditRecord } from '@manc/contract'

/** Facility 13, log audit; severity 6, informational, and 4, warning [RFC 5424, 6.2.1]. */
const facility = 13
const severities = { informational: 6, warning: 4 }

/** Longer messages do not fit into one datagram. */
const maxBytes = 60_000

/**
 * A syslog message [RFC 5424, 6] with the entry as JSON. MSGID is the action. There is no BOM before the text: it would
 * break parsers of the JSON, and receivers treat the text as UTF-8 without it.
 */
export function syslogMessage(record: AuditRecord, { host, pid }: { host: string; pid: number }): string {
  const severity = record.action === 'login.failed' ? severities.warning : severities.informational
  const header = `<${facility * 8 + severity}>1 ${record.at} ${host} manc-server ${pid} ${record.action} -`
  const message = `${header} ${JSON.stringify(record)}`
  if (Buffer.byteLength(message) <= maxBytes) return message
  return `${header} ${JSON.stringify({ ...record, detail: { omitted: 'too long for syslog' } })}`
}

/** Octet counting [RFC 6587, 3.4.1], [RFC 5425, 4.3]: the text may contain any character. */
export const framed = (message: string): string => `${Buffer.byteLength(message)} ${message}`
