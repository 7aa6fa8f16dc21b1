/** The virtual host and the user of an AMQP URL, with the broker's defaults. */
export function readAmqpUrl(url: string): { vhost: string; username: string } {
  const { pathname, username } = new URL(url)
  return {
    vhost: decodeURIComponent(pathname.slice(1)) || '/',
    username: decodeURIComponent(username) || 'guest',
  }
}

/** A connection over which nothing arrives for twice this time is closed. The broker proposes 60 s. */
const heartbeatS = '10'

/** The URL with a heartbeat, unless it has one. */
export function withHeartbeat(url: string): string {
  const changed = new URL(url)
  if (!changed.searchParams.has('heartbeat')) changed.searchParams.set('heartbeat', heartbeatS)
  return changed.href
}
