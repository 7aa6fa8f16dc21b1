/** As a download of the browser. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Not before the browser has taken it.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
