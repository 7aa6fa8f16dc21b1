import { setTimeout as sleep } from 'node:timers/promises'
import { startMailSink } from '../../../tools/mail-sink.ts'

/** Takes every e-mail that the server sends, so that reset tokens can be read out of them. */
export interface Mailbox {
  url: string
  /** The texts that came for this address, oldest first. */
  of(address: string): string[]
  /** The reset token in the first mail to this address after those already seen. */
  tokenFor(address: string, seen?: number): Promise<string>
  stop(): Promise<void>
}

const longestWaitMs = 10_000

export async function startMailbox(): Promise<Mailbox> {
  const mails: { to: string; text: string }[] = []
  const sink = await startMailSink(({ to, text }) => {
    mails.push({ to: to?.[0]?.address ?? '', text: text ?? '' })
  })
  const of = (address: string) =>
    mails.filter(({ to }) => to.toLowerCase() === address.toLowerCase()).map(({ text }) => text)
  return {
    url: sink.url,
    of,
    async tokenFor(address, seen = 0) {
      for (const deadline = Date.now() + longestWaitMs; Date.now() < deadline; await sleep(20)) {
        const token = /Reset token: (\S+)/.exec(of(address)[seen] ?? '')?.[1]
        if (token !== undefined) return token
      }
      throw new Error(`no e-mail with a reset token came for ${address}`)
    },
    stop: () => sink.stop(),
  }
}
