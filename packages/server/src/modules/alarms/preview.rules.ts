/** How often a condition held for its duration, and for how long in total. */
export function countAlarms(
  times: readonly number[],
  { stepMs, forMs }: { stepMs: number; forMs: number },
): { alarms: number; minutes: number } {
  let alarms = 0
  let heldMs = 0
  for (let start = 0; start < times.length; ) {
    let end = start
    while (end + 1 < times.length && times[end + 1]! - times[end]! <= stepMs) end += 1
    const lengthMs = (end - start + 1) * stepMs
    if (lengthMs >= forMs) {
      alarms += 1
      heldMs += lengthMs
    }
    start = end + 1
  }
  return { alarms, minutes: Math.round(heldMs / 60_000) }
}
