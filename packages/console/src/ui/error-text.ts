/** Errors of the SDK say what happened and what to do next. */
export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error))
