const maxLength = 500
/** `error when executing query="…" for (time=…, step=…): `, or the same with a period. */
const context = /^.{0,200}?error when executing query=.*? (?:for|on the time range) \([^()]*\): /s
/** None is expected in the store's messages about a query. */
const addresses = /https?:\/\/\S+|\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?/g

/** What the store says about a query that it refuses, without what only its operator needs. */
export function storeMessage(body: string): string {
  const text = messageIn(body).replace(context, '').replaceAll(addresses, '…').trim()
  if (text === '') return 'The metrics store cannot evaluate the query. Check its syntax.'
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}

function messageIn(body: string): string {
  try {
    const { error } = JSON.parse(body) as { error?: unknown }
    return typeof error === 'string' ? error : ''
  } catch {
    // A text for the operator, with addresses and all parameters.
    return ''
  }
}
