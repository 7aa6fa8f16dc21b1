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
    if (!this.#transport) throw new Error('MANC_SMTP_URL is not set')
    // The address goes in as an object: a name with commas or brackets must not become further recipients.
    await this.#transport.sendMail({
      from: this.#from,
      to: { name: '', address: message.to },
      subject: message.subject,
      text: message.text,
    })
  }

  stop(): void {
    this.#transport?.close()
  }
}
