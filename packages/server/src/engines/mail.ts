import nodemailer, { type Transporter } from 'nodemailer'

export interface Message {
  to: string
  subject: string
  text: string
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

  async send(message: Message): Promise<void> {
    if (!this.#transport) throw new Error('MANC_SMTP_URL is not set: set it to send e-mails')
    // As an object: commas or brackets in the address must not add recipients.
    await this.#transport.sendMail({
      from: this.#from,
      to: { name: '', address: message.to },
      subject: message.subject,
      text: message.text,
    })
  }

  /** Connects and logs in, without sending anything. */
  async ping(): Promise<void> {
    await this.#transport?.verify()
  }

  stop(): void {
    this.#transport?.close()
  }
}
