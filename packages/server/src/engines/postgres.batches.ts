/** So that each statement ends within the timeout, and other writers of its rows wait briefly. */
const rowsPerStatement = 1000

/** Repeats a statement that changes at most `limit` rows until none is left. */
export async function inBatches(
  statement: (limit: number) => Promise<{ numAffectedRows?: bigint }>,
): Promise<void> {
  while (((await statement(rowsPerStatement)).numAffectedRows ?? 0n) >= rowsPerStatement);
}
