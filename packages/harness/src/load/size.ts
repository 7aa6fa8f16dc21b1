/** Of fault suites: whole, or quick for every change. What is killed, and what must hold, is the same. */
export const isQuick = process.env['MANC_QUICK'] !== undefined

export const sized = (whole: number, quick: number): number => (isQuick ? quick : whole)
