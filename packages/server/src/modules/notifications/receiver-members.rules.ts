import type { NotificationReceiverCreate, ValidationItem } from '@manc/contract'
import { isPrivateHost } from '../../engines/webhook.ts'

const wrong = (member: string, msg: string): ValidationItem => ({
  loc: ['body', member],
  msg: `Value error, ${msg}`,
  type: 'value_error',
})

/** What is wrong with members that depend on each other. The address of a name is checked when a message is sent. */
export function wrongReceiver(
  given: NotificationReceiverCreate,
  { mayBePrivate }: { mayBePrivate: boolean },
): ValidationItem[] {
  const { type, addresses = [], url = null } = given
  if (type === 'email')
    return [
      ...(addresses.length === 0 ? [wrong('addresses', 'a receiver of e-mails needs at least one')] : []),
      ...(url !== null ? [wrong('url', 'only a webhook has one')] : []),
    ]
  return [
    ...(addresses.length > 0 ? [wrong('addresses', 'a webhook has none')] : []),
    ...(url === null ? [wrong('url', 'a webhook needs one')] : wrongUrl(url, mayBePrivate)),
  ]
}

function wrongUrl(text: string, mayBePrivate: boolean): ValidationItem[] {
  if (!URL.canParse(text)) return [wrong('url', 'it should be a URL, such as https://example.org/hook')]
  const url = new URL(text)
  if (url.username !== '' || url.password !== '')
    return [wrong('url', 'it should have no user name and password')]
  if (!mayBePrivate && isPrivateHost(url.hostname))
    return [
      wrong('url', 'it should not be a private address. MANC_WEBHOOK_PRIVATE=true of the server allows it'),
    ]
  return []
}
