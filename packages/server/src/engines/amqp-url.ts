/** The virtual host and the user that an AMQP address names; both may be left out. */
export function readAmqpUrl(url: string): { vhost: string; username: string } {
  const { pathname, username } = new URL(url)
  return {
    vhost: decodeURIComponent(pathname.slice(1)) || '/',
    username: decodeURIComponent(username) || 'guest',
  }
}
