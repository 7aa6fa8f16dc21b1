/** The virtual host and the user of an AMQP URL, with the broker's defaults. */
export function readAmqpUrl(url: string): { vhost: string; username: string } {
  const { pathname, username } = new URL(url)
  return {
    vhost: decodeURIComponent(pathname.slice(1)) || '/',
    username: decodeURIComponent(username) || 'guest',
  }
}
