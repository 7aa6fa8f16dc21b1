import { test as base, inject } from 'vitest'
import { createEnvironment, type TestEnvironment, type Variables } from './environment.ts'
import { createIsolatedEnvironment } from './isolated-environment.ts'

interface Settings {
  variables: Variables
  withServer: boolean
}

/** A `test` whose files have one environment each, made by `open` and dropped after the file. */
export function environmentTest<E extends TestEnvironment>(open: (settings: Settings) => Promise<E>) {
  return base
    .extend('variables', { scope: 'file' }, async (): Promise<Variables> => ({}))
    .extend('withServer', { scope: 'file' }, async (): Promise<boolean> => true)
    .extend('environment', { scope: 'file' }, async ({ variables, withServer }, { onCleanup }) => {
      const environment = await open({ variables, withServer })
      onCleanup(() => environment.drop())
      return environment
    })
}

/**
 * One test environment per file, with a running server and a logged-in administrator. A file overrides the variables of
 * its server, or starts its servers itself:
 *
 *     const it = test.override('variables', { MANC_ROLES: 'api' })
 *     const it = test.override('withServer', false)
 */
export const test = environmentTest(async ({ variables, withServer }) => {
  const environment = await createEnvironment(inject('engines'), variables)
  return withServer ? environment.serve() : environment
})

/** As `test`, with engines that only this file uses: for agents over MQTT, and for suites that stop engines. */
export const testWithEngines = environmentTest(async ({ variables, withServer }) => {
  const environment = await createIsolatedEnvironment(variables)
  return withServer ? environment.serve() : environment
})
