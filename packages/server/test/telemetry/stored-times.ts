/** The times of all samples of an agent in the store. */
export async function storedTimes(url: string, apId: string): Promise<number[]> {
  await (await fetch(`${url}/internal/force_flush`)).text()
  const response = await fetch(`${url}/api/v1/export?match[]={ap_id="${apId}"}`)
  const lines = (await response.text()).split('\n').filter((line) => line !== '')
  return lines
    .flatMap((line) => (JSON.parse(line) as { timestamps: number[] }).timestamps)
    .sort((a, b) => a - b)
}
