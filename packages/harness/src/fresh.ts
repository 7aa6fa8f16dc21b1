let made = 0

/** A name that nobody had before, also where a test is repeated after a failure. */
export const fresh = (name: string): string => `${name}-${process.pid}-${++made}`
