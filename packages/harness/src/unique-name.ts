let count = 0

/** Differs on every call, so that a retried test does not meet records of its first attempt. */
export const uniqueName = (prefix: string): string => `${prefix}-${process.pid}-${++count}`
