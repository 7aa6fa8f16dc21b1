/** Whether a client accepts gzip, by its `Accept-Encoding` (RFC 9110, 12.5.3). Without the header it gets plain text. */
export function acceptsGzip(header: string | readonly string[] | undefined): boolean {
  return String(header ?? '')
    .toLowerCase()
    .split(',')
    .some((coding) => {
      const [name, weight] = coding.split(';').map((part) => part.trim())
      return name === 'gzip' && !/^q=0(?:\.0*)?$/.test(weight ?? '')
    })
}
