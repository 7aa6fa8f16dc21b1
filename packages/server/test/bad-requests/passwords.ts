import { notUnicode, tooLong, tooShort } from './items.ts'
import { type BadBody, secret } from './shape.ts'

/** Lengths of a user's password count code points: an emoji is one character, not two. */
export const wrongPasswords = (field: string, body: object): BadBody[] => {
  const loc = ['body', field]
  return [
    { title: 'an empty password', value: '', item: tooShort(8, loc) },
    { title: 'a password of 7 characters', value: secret(''), item: tooShort(8, loc) },
    { title: 'a password of 7 emoji', value: '🔑'.repeat(7), item: tooShort(8, loc) },
    { title: 'a password of 257 characters', value: secret('x'.repeat(250)), item: tooLong(256, loc) },
    { title: 'a password of 257 emoji', value: secret('🔑'.repeat(250)), item: tooLong(256, loc) },
    { title: 'a password with half a character', value: secret('\ud83d-half'), item: notUnicode(loc) },
  ].map(({ title, value, item }) => ({ title, json: { ...body, [field]: value }, expected: [item] }))
}

/** The secrets of agents and apps may be as short as one character. */
export const wrongSecrets = (field: string, body: object): BadBody[] => {
  const loc = ['body', field]
  return [
    { title: 'an empty secret', value: '', item: tooShort(1, loc) },
    { title: 'a secret of 257 characters', value: secret('x'.repeat(250)), item: tooLong(256, loc) },
    { title: 'a secret of 257 emoji', value: secret('🔑'.repeat(250)), item: tooLong(256, loc) },
  ].map(({ title, value, item }) => ({ title, json: { ...body, [field]: value }, expected: [item] }))
}
