/** Points that the metrics store has accepted since its start. */
export async function insertedPoints(victoria: string): Promise<number> {
  const text = await (await fetch(`${victoria}/metrics`)).text()
  return Number(/^vm_rows_inserted_total\{type="influx"\} (\S+)$/m.exec(text)?.[1])
}
