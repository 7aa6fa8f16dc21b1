import { receiverTypes } from '@manc/contract'
import { lessThan, missing, noAddress, noMatch, notInChoices, tooLong, tooManyItems } from './items.ts'
import type { BadBody } from './shape.ts'

const valueError = (msg: string, loc: string[]) => ({
  loc: ['body', ...loc],
  msg: `Value error, ${msg}`,
  type: 'value_error',
})
const noControl = (member: string) => noMatch('^[^\\u0000-\\u001f\\u007f]*$', ['body', member])
const noPrivate = 'it should not be a private address. MANC_WEBHOOK_PRIVATE=true of the server allows it'

const webhook = { name: 'a hook', type: 'webhook', url: 'https://hooks.bad.test/' }
const mail = { name: 'a mail', type: 'email', addresses: ['ann@bad.test'] }

const ofUrl = (url: string, msg: string): BadBody => ({
  title: `the URL ${url}`,
  json: { ...webhook, url },
  expected: [valueError(msg, ['url'])],
})

const privateUrls = [
  'http://127.0.0.1/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://10.1.2.3/',
  'http://192.168.1.1:8080/hook',
  'http://169.254.169.254/latest/meta-data/',
  'http://100.64.0.1/',
  'http://0.0.0.0/',
  'http://224.0.0.1/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[fe80::1]/',
  'http://[fd00::1]/',
  'http://[64:ff9b::7f00:1]/',
]

export const wrongReceivers: BadBody[] = [
  { title: 'no name', json: { ...webhook, name: undefined }, expected: [missing(['body', 'name'])] },
  {
    title: 'a line break in its name',
    json: { ...webhook, name: 'a\nb' },
    expected: [noControl('name')],
  },
  {
    title: 'an unknown type',
    json: { ...webhook, type: 'pager' },
    expected: [notInChoices(receiverTypes, ['body', 'type'])],
  },
  {
    title: 'a webhook without a URL',
    json: { ...webhook, url: null },
    expected: [valueError('a webhook needs one', ['url'])],
  },
  {
    title: 'a URL of another scheme',
    json: { ...webhook, url: 'file:///etc/passwd' },
    expected: [noMatch('^https?://[^\\u0000-\\u0020]+$', ['body', 'url'])],
  },
  {
    title: 'a URL that is too long',
    json: { ...webhook, url: `https://hooks.bad.test/${'x'.repeat(2000)}` },
    expected: [tooLong(2000, ['body', 'url'])],
  },
  ofUrl('http://ann:pw@hooks.bad.test/', 'it should have no user name and password'),
  ofUrl('http://[::/', 'it should be a URL, such as https://example.org/hook'),
  ...privateUrls.map((url) => ofUrl(url, noPrivate)),
  {
    title: 'e-mail without an address',
    json: { ...mail, addresses: [] },
    expected: [valueError('a receiver of e-mails needs at least one', ['addresses'])],
  },
  {
    title: 'e-mail with a URL',
    json: { ...mail, url: webhook.url },
    expected: [valueError('only a webhook has one', ['url'])],
  },
  {
    title: 'a text that is no e-mail address',
    json: { ...mail, addresses: ['ann'] },
    expected: [noAddress('An email address must have an @-sign.', ['body', 'addresses', 0])],
  },
  {
    title: '21 addresses',
    json: { ...mail, addresses: Array.from({ length: 21 }, (_, n) => `a${n}@bad.test`) },
    expected: [tooManyItems(20, 21, ['body', 'addresses'])],
  },
]

const route = { name: 'a route', receiver_id: '0199a3e5-7c1e-7d0c-9d6a-3f6f0f2a9b11' }
const quiet = { from: '22:00', to: '06:00', time_zone: 'Europe/London' }

export const wrongNotificationRoutes: BadBody[] = [
  {
    title: 'a receiver that does not exist',
    json: route,
    expected: [valueError('it should be the id of a receiver', ['receiver_id'])],
  },
  {
    title: 'a negative wait',
    json: { ...route, group_wait_s: -1 },
    expected: [lessThan(0, ['body', 'group_wait_s'])],
  },
  {
    title: 'an escalation without a receiver',
    json: { ...route, escalate_after_s: 60 },
    expected: [valueError('a route with escalate_after_s needs it', ['escalate_to'])],
  },
  {
    title: 'an escalation without a time',
    json: { ...route, escalate_to: route.receiver_id },
    expected: [valueError('a route with escalate_to needs it', ['escalate_after_s'])],
  },
  {
    title: 'an unknown time zone',
    json: { ...route, quiet_hours: { ...quiet, time_zone: 'Mars/Olympus' } },
    expected: [
      valueError('it should be a time zone of the IANA database, such as Europe/London', [
        'quiet_hours',
        'time_zone',
      ]),
    ],
  },
  {
    title: 'quiet hours of a whole day',
    json: { ...route, quiet_hours: { ...quiet, to: '22:00' } },
    expected: [valueError('it should differ from `from`', ['quiet_hours', 'to'])],
  },
  {
    title: 'a time that does not exist',
    json: { ...route, quiet_hours: { ...quiet, from: '24:00' } },
    expected: [noMatch('^([01][0-9]|2[0-3]):[0-5][0-9]$', ['body', 'quiet_hours', 'from'])],
  },
]
