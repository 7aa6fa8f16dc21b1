import { formatDateTime, formatRecentTime, timeZoneName, utcOffset } from './time.ts'

interface TimestampProps {
  ms: number
  /** How the time is written. */
  format?: (ms: number) => string
}

/** An absolute time. The tooltip has the date and the time zone. */
export function Timestamp({ ms, format = formatRecentTime }: TimestampProps) {
  return (
    <time
      dateTime={new Date(ms).toISOString()}
      title={`${formatDateTime(ms)} ${utcOffset(ms)} (${timeZoneName()})`}
    >
      {format(ms)}
    </time>
  )
}
