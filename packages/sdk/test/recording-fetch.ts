/** `fetch` that also records the requests (`METHOD /path`) that succeeded. */
export function recordingFetch(): { send: typeof fetch; succeeded: Set<string> } {
  const succeeded = new Set<string>()
  const send: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    if (response.ok) succeeded.add(`${init?.method ?? 'GET'} ${new URL(input).pathname}`)
    return response
  }
  return { send, succeeded }
}
