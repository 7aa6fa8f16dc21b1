import { type ConfigurationField, configurationFields } from '@manc/contract/configuration-fields'
import type { Technology } from '@manc/sdk'
import type { Configuration } from './configuration-diff.ts'

/** The value at a path such as `geolocation.latitude`; undefined if it is not set. */
export function valueAt(configuration: Configuration, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
      configuration,
    )
}

/** A copy with another value at a path; undefined removes it, and an object that is then empty. */
export function withValue(configuration: Configuration, path: string, value: unknown): Configuration {
  const [name = '', ...rest] = path.split('.')
  const { [name]: before, ...others } = configuration
  const after = rest.length === 0 ? value : withValue(isObject(before) ? before : {}, rest.join('.'), value)
  const isEmpty =
    after === undefined || (rest.length > 0 && isObject(after) && Object.keys(after).length === 0)
  if (isEmpty) return others
  // A member keeps its place, so that the JSON beside the form does not change its order.
  return { ...configuration, [name]: after }
}

/** The fields for the technology that the configuration names. */
export function fieldsOf(configuration: Configuration): readonly ConfigurationField[] {
  const { technology } = configuration
  return configurationFields[isTechnology(technology) ? technology : 'other']
}

const isTechnology = (value: unknown): value is Technology =>
  typeof value === 'string' && Object.hasOwn(configurationFields, value)

const isObject = (value: unknown): value is Configuration =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
