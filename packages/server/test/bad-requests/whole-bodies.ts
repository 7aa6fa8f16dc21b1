import type { ValidationItem } from '@manc/contract'
import { malformedAt, missing, noFields, notADictionary, notAList, tooDeep } from './items.ts'
import { type BadBody, secret } from './shape.ts'

const noBody = missing(['body'])
const json = `{"password": "${secret('body')}"}`

/** What every operation with a JSON body refuses before it looks at a field; a free-form one has no fields. */
export const wrongBodies = (kind: 'fields' | 'free form' | 'list'): BadBody[] => {
  if (kind === 'fields') return wrongBodiesAs(noFields(['body']))
  const bodies = wrongBodiesAs(kind === 'list' ? notAList(['body']) : notADictionary(['body']))
  return kind === 'list' ? bodies.filter(({ title }) => title !== 'a list') : bodies
}

const wrongBodiesAs = (notAnObject: ValidationItem): BadBody[] => [
  { title: 'no body', expected: [noBody] },
  { title: 'an empty body that calls itself JSON', text: '', expected: [noBody] },
  { title: 'null', text: 'null', expected: [noBody] },
  { title: 'a list', json: [{ password: secret('in-a-list') }], expected: [notAnObject] },
  { title: 'a text', json: secret('text'), expected: [notAnObject] },
  { title: 'a number', text: '5', expected: [notAnObject] },
  { title: 'a boolean', text: 'false', expected: [notAnObject] },
  { title: 'JSON that calls itself text', text: json, contentType: 'text/plain', expected: [notAnObject] },
  ...['nonsense', 'text/plain, application/json', '/'].map((contentType) => ({
    title: `JSON with the malformed content type ${contentType}`,
    text: json,
    contentType,
    expected: [notAnObject],
  })),
  {
    title: 'JSON that calls itself a form',
    text: json,
    contentType: 'application/x-www-form-urlencoded',
    expected: [notAnObject],
  },
  { title: 'a form', form: { password: secret('form') }, expected: [notAnObject] },
  { title: 'a body that breaks off', text: '{"password": "s3cret-', expected: [malformedAt(13)] },
  { title: 'a body nested 65 levels deep', text: nested(65), expected: [tooDeep] },
]

/** An object, its member lists in lists: so many levels in all. */
export function nested(levels: number): string {
  return `{"configuration": {"a": ${'['.repeat(levels - 2)}${']'.repeat(levels - 2)}}}`
}

/** JSON is JSON under each of its names; the fields are read, and found missing. */
export const otherNamesOfJson = (expected: ValidationItem[]): BadBody[] =>
  ['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/problem+json'].map((contentType) => ({
    title: `an empty object as ${contentType}`,
    text: '{}',
    contentType,
    expected,
  }))
