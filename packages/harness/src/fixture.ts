import { test as base, inject } from 'vitest'
import { createEnvironment, type Variables } from './environment.ts'
import { createIsolatedEnvironment } from './isolated-environment.ts'

/**
 * One test environment per file, with a running server and a logged-in administrator. Where the server needs other
 * variables: `const it = test.override('variables', { MANC_ROLES: 'api' })`.
 */
export const test = base
  .extend('variables', { scope: 'file' }, async (): Promise<Variables> => ({}))
  .extend('environment', { scope: 'file' }, async ({ variables }, { onCleanup }) => {
    const environment = await createEnvironment(inject('engines'), variables)
    onCleanup(() => environment.drop())
    return environment.serve()
  })

/** As `test`, with engines that only this file uses: for agents over MQTT, and for suites that stop engines. */
export const testWithEngines = base
  .extend('variables', { scope: 'file' }, async (): Promise<Variables> => ({}))
  .extend('environment', { scope: 'file' }, async ({ variables }, { onCleanup }) => {
    const environment = await createIsolatedEnvironment(variables)
    onCleanup(() => environment.drop())
    return environment.serve()
  })
