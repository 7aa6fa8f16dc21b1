/**
 * Coefficients that are not negative, one for each column of `rows`, so that the sums fit `values` with the smallest relative
 * errors. A coefficient that would be negative is zero: no process gets cheaper with more load.
 */
export function fit(rows: readonly (readonly number[])[], values: readonly number[]): number[] {
  // In parts of the largest, so that coefficients of different units can be compared.
  const scales = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => at(row, column))))
  let columns = scales.map((_, column) => column)
  for (;;) {
    const found = leastSquares(
      rows.map((row, n) => columns.map((column) => at(row, column) / at(scales, column) / at(values, n))),
      values.map(() => 1),
    )
    const least = Math.min(...found)
    if (least >= 0 || columns.length === 1)
      return scales.map((scale, column) => Math.max(0, found[columns.indexOf(column)] ?? 0) / scale)
    columns = columns.filter((_, n) => found[n] !== least)
  }
}

/** Solves the normal equations by Gaussian elimination. */
function leastSquares(rows: readonly number[][], values: readonly number[]): number[] {
  const width = rows[0]?.length ?? 0
  const sum = (of: (row: number[], n: number) => number) =>
    rows.reduce((total, row, n) => total + of(row, n), 0)
  const matrix = Array.from({ length: width }, (_, i) => [
    ...Array.from({ length: width }, (__, j) => sum((row) => at(row, i) * at(row, j))),
    sum((row, n) => at(row, i) * at(values, n)),
  ])
  for (let i = 0; i < width; i++) {
    const largest = matrix
      .slice(i)
      .reduce((best, row) => (Math.abs(at(row, i)) > Math.abs(at(best, i)) ? row : best))
    const from = matrix.indexOf(largest)
    matrix[from] = matrix[i] ?? []
    matrix[i] = largest
    for (const row of matrix) {
      if (row === largest) continue
      const factor = at(row, i) / at(largest, i)
      for (let j = i; j <= width; j++) row[j] = at(row, j) - factor * at(largest, j)
    }
  }
  return matrix.map((row, i) => at(row, width) / at(row, i))
}

const at = (row: readonly number[], n: number): number => row[n] ?? Number.NaN
