/** Browsers use the certificates of their system, and do not report why a connection failed. */
export const fetchWith =
  (): typeof fetch =>
  (...request) =>
    fetch(...request)

export const openSocket = async (url: URL, protocols: string[]): Promise<WebSocket> =>
  new WebSocket(url, protocols)

export const tlsAdvice = (): undefined => undefined
