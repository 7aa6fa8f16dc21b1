import type { Page } from 'playwright-core'

/** How long a page may take on a busy machine. */
const withinMs = 90_000

/** What a client did that was asked to move. */
const outcomePattern = /^(Moved|Not moved|Refused)/

/** The console as a person uses it, who follows its links and fills in its form. */
export class ConsolePages {
  readonly #page: Page

  constructor(page: Page) {
    page.setDefaultTimeout(withinMs)
    this.#page = page
  }

  /** From the table of clients. */
  async openClient(id: string): Promise<void> {
    await this.#open('Clients')
    await this.#page.getByRole('grid', { name: 'Clients' }).getByRole('link', { name: id }).click()
    await this.#page.getByRole('heading', { level: 1, name: id }).waitFor()
  }

  /** On the page of a client. Resolves with the outcome that it shows, and the number of the job. */
  async move(apId: string): Promise<{ outcome: string; jobNumber: string }> {
    const card = this.#section('Move to another access point')
    await card.getByRole('combobox', { name: 'To access point' }).click()
    await this.#page.keyboard.type(apId)
    await this.#page.getByRole('option', { name: apId }).click()
    const [response] = await Promise.all([
      this.#page.waitForResponse((each) => new URL(each.url()).pathname === '/api/v1/send_command'),
      card.getByRole('button', { name: 'Move', exact: true }).press('Enter'),
    ])
    const { job_number: jobNumber } = (await response.json()) as { job_number: string }
    return { outcome: await card.getByText(outcomePattern).innerText(), jobNumber }
  }

  /** What the panel of a job shows, opened from the list of jobs. */
  async job(jobNumber: string): Promise<{ title: string; outcome: string; report: string }> {
    await this.#open('Jobs and commands')
    await this.#page.locator(`a.job[href$="${jobNumber}"]`).click()
    const panel = this.#page.getByRole('dialog')
    const shown = {
      outcome: await panel.getByText(outcomePattern).innerText(),
      report: await panel.getByLabel('Result').innerText(),
      title: await panel.getByRole('heading').first().innerText(),
    }
    await this.#page.keyboard.press('Escape')
    await panel.waitFor({ state: 'hidden' })
    return shown
  }

  /** On the page of a client: a lane for each access point, the newest two attachments, and an arrow for each move. */
  async timeline(): Promise<{ lanes: string[]; newest: string[]; arrows: number }> {
    const card = this.#section('Path')
    await card.getByText('Access points', { exact: true }).click()
    const plot = card.getByRole('img', { name: /^\d+ attachments?, / })
    await plot.waitFor()
    return {
      lanes: await card.locator('.timeline-label [title]').allInnerTexts(),
      newest: (await plot.locator('rect title').allTextContents()).slice(0, 2),
      arrows: await plot.locator('.timeline-arrow').count(),
    }
  }

  #section(name: string) {
    return this.#page.getByRole('region', { name, exact: true })
  }

  /** By the navigation. */
  async #open(page: string): Promise<void> {
    const navigation = this.#page.getByRole('navigation', { name: 'Pages' })
    await navigation.getByRole('link', { name: page, exact: true }).click()
  }
}
