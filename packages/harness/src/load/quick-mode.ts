/** Fault suites run with smaller loads and shorter outages. The faults and the expectations stay the same. */
export const isQuick = process.env['MANC_QUICK'] !== undefined

export const sized = (full: number, quick: number): number => (isQuick ? quick : full)
