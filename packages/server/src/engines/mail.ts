import nodemailer, { type Transporter } from 'nodemailer'

export interface Message {
  /** One address, or several. */
  to: string | readonly string[]
  subject: string
  text: string
  /** The same for each attempt to send a message: mail programs show it once. */
  id?: string
}

export class Mail {
  readonly #transport: Transporter | undefined
  readonly #from: string

  constructor(options: { url: string | undefined; from: string }) {
    this.#from = options.from
    this.#transport = options.url
      ? nodemailer.createTransport({
          url: options.url,
          connectionTimeout: 10_000,
          greetingTimeout: 10_000,
          socketTimeout: 20_000,
        })
      : undefined
  }

  get configured(): boolean {
    return this.#transport !== undefined
  }

  /** Returns how many recipients the server refused. It fails if it refused all. */
  async send({ to, subject, text, id }: Message): Promise<{ refused: number }> {
    if (!this.#transport) throw new Error('MANC_SMTP_URL is not set: set it to send e-mails')
    const addresses = typeof to === 'string' ? [to] : to
    const sent = (await this.#transport.sendMail({
      from: this.#from,
      // As objects: commas or brackets in the address must not add recipients.
      to: addresses.map((address) => ({ name: '', address })),
      subject,
      text,
      ...(id !== undefined && { messageId: `<${id}@${this.#domain()}>` }),
    })) as { rejected?: unknown[] }
    return { refused: sent.rejected?.length ?? 0 }
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
