/** The real fetch, which also notes the requests (`METHOD /path`) that succeeded. */
export function recordingFetch(): { send: typeof fetch; succeeded: Set<string> } {
  const succeeded = new Set<string>()
  const send: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init)
    if (answer.ok) succeeded.add(`${init?.method ?? 'GET'} ${new URL(input).pathname}`)
    return answer
  }
  return { send, succeeded }
}
