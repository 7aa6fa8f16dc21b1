/** Where a request goes, without user and password in the URL. */
export interface Address {
  url: string
  headers: Record<string, string>
}

/**
 * Sends the response of one store to another, as it arrives: it may be larger than the memory. With fetch, because it
 * sends streams no faster than they are received. Returns the number of bytes.
 */
export async function copy(
  source: Address,
  target: Address,
  { idleMs, signal }: { idleMs: number; signal: AbortSignal },
): Promise<number> {
  const stalled = new AbortController()
  const timer = setTimeout(() => stalled.abort(new Error(`no data for ${idleMs} ms`)), idleMs)
  const either = AbortSignal.any([stalled.signal, signal])
  let bytes = 0
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      timer.refresh()
      bytes += chunk.length
      controller.enqueue(chunk)
    },
  })
  try {
    const exported = await fetch(source.url, {
      headers: source.headers,
      signal: either,
      // A redirect is an error: the credentials are for this address only.
      redirect: 'manual',
    })
    if (!exported.ok || !exported.body) throw await failure('export', exported)
    const imported = await fetch(target.url, {
      method: 'POST',
      headers: target.headers,
      body: exported.body.pipeThrough(counting),
      duplex: 'half',
      signal: either,
      redirect: 'manual',
    })
    if (!imported.ok) throw await failure('import', imported)
    await imported.text()
    return bytes
  } finally {
    clearTimeout(timer)
    // Ends the export if the import was refused.
    stalled.abort()
  }
}

async function failure(what: string, response: Response): Promise<Error> {
  const text = await response.text()
  return new Error(`the metrics store answered the ${what} with ${response.status}: ${text.slice(0, 200)}`)
}
