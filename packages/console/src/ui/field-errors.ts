import { Invalid } from '@manc/sdk'

/**
 * Errors of the controller by field. `fields` maps the path of a member in the body, such as `quiet_hours.from`, to the
 * field of the form. Undefined if an error belongs to no field.
 */
export function fieldErrorsOf<Field extends string>(
  error: unknown,
  fields: Readonly<Record<string, Field>>,
): Partial<Record<Field, string>> | undefined {
  if (!(error instanceof Invalid)) return undefined
  const errors: Partial<Record<Field, string>> = {}
  for (const { loc, msg } of error.items) {
    // Items of a list belong to the field of the list.
    const names = loc.slice(1).filter((part) => typeof part === 'string')
    const field = fields[names.join('.')] ?? fields[names[0] ?? '']
    if (!field) return undefined
    errors[field] ??= sentenceOf(msg)
  }
  return errors
}

const sentenceOf = (message: string): string =>
  message.replace(/^Value error, /, '').replace(/^./, (letter) => letter.toUpperCase())

/** Awaits a request of a form, and reports errors that belong to its fields. */
export async function withFieldErrors<Result, Field extends string>(
  request: Promise<Result>,
  fields: Readonly<Record<string, Field>>,
  onErrors: (errors: Partial<Record<Field, string>>) => void,
): Promise<Result> {
  try {
    return await request
  } catch (error) {
    const found = fieldErrorsOf(error, fields)
    if (!found) throw error
    onErrors(found)
    throw new Error('Correct the marked fields.', { cause: error })
  }
}
