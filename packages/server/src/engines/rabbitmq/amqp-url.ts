import { addressesOf } from '@manc/contract/addresses'

/** The virtual host and the user of an AMQP URL, with the broker's defaults. All hosts of a setting have the same. */
export function readAmqpUrl(setting: string): { vhost: string; username: string } {
  const { pathname, username } = new URL(addressesOf(setting)[0] ?? '')
  return {
    vhost: decodeURIComponent(pathname.slice(1)) || '/',
    username: decodeURIComponent(username) || 'guest',
  }
}
