import { setTimeout as sleep } from 'node:timers/promises'
import { startMailSink } from '../../../tools/mail-sink.ts'

interface ReceivedMail {
  to: string[]
  /** To whom it was delivered, which may be some of them. */
  recipients: string[]
  subject: string
  messageId: string
  text: string
}

/** An SMTP server that keeps every e-mail, so that suites can read their tokens. */
export interface MailInbox {
  url: string
  /** Addresses that it refuses, with the status. */
  readonly refusals: Map<string, number>
  /** E-mails with this address as the first recipient, oldest first. */
  mailsTo(address: string): ReceivedMail[]
  /** Texts of the e-mails to this address, oldest first. */
  textsTo(address: string): string[]
  /** The reset token in the first e-mail to this address after the first `skip` ones. */
  resetTokenFor(address: string, skip?: number): Promise<string>
  /** As above, of a sign-up that has to be confirmed. */
  confirmationTokenFor(address: string, skip?: number): Promise<string>
  stop(): Promise<void>
}

/** An e-mail that could not be sent is sent again after a minute. */
const maxWaitMs = 75_000

export async function startMailInbox(): Promise<MailInbox> {
  const mails: ReceivedMail[] = []
  const refusals = new Map<string, number>()
  const sink = await startMailSink(
    ({ to = [], subject = '', messageId = '', text = '' }, _raw, recipients) => {
      mails.push({ to: to.map(({ address = '' }) => address), recipients, subject, messageId, text })
    },
    (address) => refusals.get(address),
  )
  const mailsTo = (address: string) =>
    mails.filter(({ to }) => to[0]?.toLowerCase() === address.toLowerCase())
  const textsTo = (address: string) => mailsTo(address).map(({ text }) => text)
  const tokenIn =
    (label: string) =>
    async (address: string, skip = 0) => {
      for (const deadline = Date.now() + maxWaitMs; Date.now() < deadline; await sleep(20)) {
        const token = new RegExp(`${label}: (\\S+)`).exec(textsTo(address)[skip] ?? '')?.[1]
        if (token !== undefined) return token
      }
      throw new Error(`no e-mail with "${label}" arrived for ${address}`)
    }
  return {
    url: sink.url,
    refusals,
    mailsTo,
    textsTo,
    resetTokenFor: tokenIn('Reset token'),
    confirmationTokenFor: tokenIn('Confirmation token'),
    stop: () => sink.stop(),
  }
}
