import { expect, it } from 'vitest'
import { steeringOutcomeOf, steeringText } from './steering-texts.ts'

function textOf(result: object, nameOf = (apId: string) => apId): string | undefined {
  const outcome = steeringOutcomeOf(result)
  return outcome && steeringText(outcome, nameOf)
}

it('the result of a steering command says that the client has moved, how long it took, and its status', () => {
  const result = { client: 'c1', to: 'lifi-2', moved: true, status: 0, interruption_ms: 500 }
  expect(textOf(result, () => 'Lamp 2')).toBe('Moved to Lamp 2 in 500 ms, with status 0 (accepted).')
})

it('of a real client it has the time until it was associated', () => {
  expect(textOf({ to: 'wifi-2', moved: true, status: 0, duration_ms: 292 })).toBe(
    'Moved to wifi-2 in 292 ms, with status 0 (accepted).',
  )
})

it('a client may have moved without an answer', () => {
  expect(textOf({ to: 'wifi-2', moved: true, duration_ms: 292 })).toBe('Moved to wifi-2 in 292 ms.')
  expect(textOf({ to: 'wifi-2', moved: true })).toBe('Moved to wifi-2.')
})

it('the result of a steering command says why the client has refused', () => {
  const refused = { to: 'lifi-2', moved: false }
  expect(textOf({ ...refused, status: 7, cause: 'The signal is too weak there.' })).toBe(
    'Refused with status 7 (no suitable candidate): The signal is too weak there.',
  )
  expect(textOf({ ...refused, status: 1 })).toBe('Refused with status 1.')
})

it('a client that has accepted or not answered, and has not moved, has not refused', () => {
  const stayed = { to: 'wifi-2', moved: false }
  expect(textOf({ ...stayed, status: 0, cause: 'The client did not arrive at the target.' })).toBe(
    'Not moved, with status 0 (accepted): The client did not arrive at the target.',
  )
  expect(textOf({ ...stayed, cause: 'The client does not support 802.11v.' })).toBe(
    'Not moved: The client does not support 802.11v.',
  )
  expect(textOf(stayed)).toBe('Not moved.')
})

it('other results are not those of a steering command', () => {
  for (const result of [null, 'ok', { moved: 'yes', to: 'a' }, { moved: true }, { done: 'reboot' }])
    expect(steeringOutcomeOf(result)).toBeUndefined()
})
