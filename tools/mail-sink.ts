import { mkdirSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export interface MailSink {
  url: string
  stop(): Promise<void>
}

/**
 * An SMTP server that stores what it receives, for development and tests. `statusOf` is the status with which it refuses an
 * address.
 */
export async function startMailSink(
  received: (mail: Email, raw: Buffer, recipients: string[]) => void,
  statusOf: (address: string) => number | undefined = () => undefined,
): Promise<MailSink> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo({ address }, _session, done) {
      const responseCode = statusOf(address)
      done(responseCode === undefined ? null : Object.assign(new Error('refused'), { responseCode }))
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const raw = Buffer.concat(chunks)
        PostalMime.parse(raw).then((mail) => {
          const recipients = session.envelope.rcptTo.map(({ address }) => address)
          received(mail, raw, recipients)
          done()
        }, done)
      })
    },
  })
  const listening = await new Promise<AddressInfo>((resolve, reject) => {
    server.on('error', reject)
    const tcp = server.listen(0, '127.0.0.1', () => resolve(tcp.address() as AddressInfo))
  })
  return {
    url: `smtp://127.0.0.1:${listening.port}`,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** Stores a mail as a file in `folder` and returns its path. */
export function storeMail(folder: string, raw: Buffer): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = path.join(folder, `${new Date().toISOString().replaceAll(':', '-')}.eml`)
  writeFileSync(file, raw, { mode: 0o600 })
  return file
}
