export class Victoria {
  readonly #url: string

  constructor(options: { url: string }) {
    this.#url = options.url.replace(/\/$/, '')
  }

  async ping(): Promise<void> {
    const answer = await fetch(`${this.#url}/health`, { signal: AbortSignal.timeout(1500) })
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`answered ${answer.status}`)
  }
}
