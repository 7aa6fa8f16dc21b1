import { connect, type Socket } from 'node:net'
import nodemailer, { type Transporter } from 'nodemailer'

export interface Message {
  /** One address, or several. */
  to: string | readonly string[]
  /** Those of them that get it now; all if absent. The message shows all. */
  only?: readonly string[]
  subject: string
  text: string
  /** The same for each attempt to send a message: mail programs show it once. */
  id?: string
}

/** Recipients that the server refused, while it accepted others. */
interface Refusals {
  /** All of them. */
  refused: number
  /** Those that it may accept later, as they are in the message. */
  deferred: string[]
}

interface MailServer {
  host?: string | undefined
  port?: number | string | undefined
  secure?: boolean | undefined
}

const connectMs = 10_000
/** Of one connection, with everything that is sent over it. Shorter than the lease of a message. */
const connectionMs = 60_000

export class Mail {
  readonly #transport: Transporter | undefined
  readonly #from: string

  constructor(options: { url: string | undefined; from: string; maxMs?: number }) {
    this.#from = options.from
    this.#transport = options.url
      ? nodemailer.createTransport({
          url: options.url,
          connectionTimeout: connectMs,
          greetingTimeout: connectMs,
          socketTimeout: 20_000,
          getSocket: openSocket(options.maxMs ?? connectionMs),
        })
      : undefined
  }

  get configured(): boolean {
    return this.#transport !== undefined
  }

  /** It fails if the server refused all recipients. */
  async send({ to, only, subject, text, id }: Message): Promise<Refusals> {
    if (!this.#transport) throw new Error('MANC_SMTP_URL is not set: set it to send e-mails')
    const addresses = typeof to === 'string' ? [to] : to
    // As objects: commas or brackets in the address must not add recipients.
    const recipients = (list: readonly string[]) => list.map((address) => ({ name: '', address }))
    const sent = (await this.#transport.sendMail({
      from: this.#from,
      to: recipients(addresses),
      ...(only && { envelope: { from: this.#from, to: recipients(only) } }),
      subject,
      text,
      ...(id !== undefined && { messageId: `<${id}@${this.#domain()}>` }),
    })) as { rejected?: unknown[]; rejectedErrors?: { recipient?: string; permanent?: boolean }[] }
    const deferred = new Set(
      sent.rejectedErrors
        ?.filter(({ permanent }) => permanent === false)
        .map(({ recipient }) => recipient?.toLowerCase()),
    )
    return {
      refused: sent.rejected?.length ?? 0,
      deferred: (only ?? addresses).filter((address) => deferred.has(address.toLowerCase())),
    }
  }

  /** Connects and logs in, without sending anything. */
  async ping(): Promise<void> {
    await this.#transport?.verify()
  }

  stop(): void {
    this.#transport?.close()
  }

  #domain(): string {
    return /@([\w.-]+)/.exec(this.#from)?.[1] ?? 'manc'
  }
}

/**
 * Opens connections that are closed after a time, whatever the server does. The other limits are times without any data: a
 * server that sends a line now and then would never reach them.
 */
const openSocket =
  (maxMs: number) =>
  (
    { host = 'localhost', port, secure }: MailServer,
    opened: (error: Error | null, found: { connection: Socket } | false) => void,
  ): void => {
    const socket = connect({ host, port: Number(port) || (secure ? 465 : 587) })
    const connecting = setTimeout(
      () => socket.destroy(new Error('the mail server could not be reached in time')),
      Math.min(connectMs, maxMs),
    )
    const open = setTimeout(() => socket.destroy(), maxMs)
    const fail = (error: Error) => opened(error, false)
    socket.once('error', fail)
    socket.once('close', () => {
      clearTimeout(connecting)
      clearTimeout(open)
    })
    socket.once('connect', () => {
      clearTimeout(connecting)
      socket.off('error', fail)
      opened(null, { connection: socket })
    })
  }
