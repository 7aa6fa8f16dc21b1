import { InvalidTlsFile, readTlsFiles, type TlsOptions, tlsAdviceWith } from '@manc/sdk/tls'
import { InvalidSettings } from '../settings/invalid-settings.ts'

/** Options of the program, such as `--ca-file`, are for the controller. */
const caOption = 'ca_file of the device'
const tlsAdvice = tlsAdviceWith(caOption)

/** Sends a request to a device. A failure names the address, without credentials, and says what to check. */
export async function request(
  send: typeof fetch,
  url: string,
  init: RequestInit,
  advice: string,
): Promise<Response> {
  // Redirects are not followed: the credentials of a request are for this address.
  const response = await sent(send, url, { ...init, redirect: 'manual' }, advice)
  if (response.status < 300 || response.status > 399) return response
  await response.body?.cancel()
  const to = response.headers.get('location') ?? ''
  const place = URL.canParse(to, url) ? ` to ${shown(new URL(to, url).href)}` : ''
  throw new Error(`${shown(url)} redirects${place}. Write the address that it redirects to.`)
}

async function sent(send: typeof fetch, url: string, init: RequestInit, advice: string): Promise<Response> {
  try {
    return await send(url, init)
  } catch (error) {
    if (init.signal?.aborted) throw error
    const { cause } = error as Error
    const reason = cause instanceof Error ? cause.message : (error as Error).message
    const message = `${shown(url)} cannot be reached: ${reason}. ${tlsAdvice(error) ?? advice}`
    throw new Error(message, { cause: error })
  }
}

/** The text of an answer that may be as long as this. */
export async function boundedText(response: Response, maxMib: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > maxMib * 1_048_576)
      throw new Error(`${shown(response.url)} answered with more than ${maxMib} MiB. Limit what it prints.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Without credentials and parameters. */
export function shown(url: string): string {
  if (!URL.canParse(url)) return 'the device'
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}

/** The CA of a device; undefined: those of the system. */
export function deviceTls(caFile: string | undefined): TlsOptions | undefined {
  try {
    return readTlsFiles({ ca: caFile }, caOption)
  } catch (error) {
    throw error instanceof InvalidTlsFile ? new InvalidSettings(error.message) : error
  }
}
