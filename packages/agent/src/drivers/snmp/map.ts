import { oneOf, technologies } from '@manc/contract'
import Type, { type Static } from 'typebox'
import { formProblems, maxMetrics, metricSchema } from '../maps/metric-map.ts'
import ifMib from './maps/if-mib.json' with { type: 'json' }
import ifMibUplink from './maps/if-mib-uplink.json' with { type: 'json' }

export const readyMaps = { 'if-mib': ifMib, 'if-mib-uplink': ifMibUplink }

/** `{if}` is the index of the interface that the settings name. */
const oid = (description: string) =>
  Type.String({ pattern: '^\\.?[0-2](\\.([0-9]{1,10}|\\{if\\})){1,127}$', description })

const selectorMembers = {
  oid: oid('a numeric OID, with {if} for the index of the interface: "1.3.6.1.2.1.31.1.1.1.6.{if}"'),
  or: Type.Optional(oid('the OID to use if the device does not have the first: "1.3.6.1.2.1.2.2.1.10.{if}"')),
  walk: Type.Optional(
    Type.Boolean({ description: 'true to read all values below the OID, or leave it out' }),
  ),
}

export interface Selector {
  oid: string
  or?: string
  walk?: boolean
}

const commandSchema = Type.Object(
  {
    oid: oid('the OID to set: "1.3.6.1.4.1.99999.1.2.0"'),
    type: oneOf(['integer', 'gauge', 'string'], '"integer", "gauge" or "string"'),
    value: Type.Optional(
      Type.Union([Type.Number(), Type.String({ maxLength: 255 })], {
        description: 'the value to set; leave it out where the command has an argument',
      }),
    ),
    argument: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description: 'a pattern for the argument of the command, which is the value to set: "[0-9]{1,2}"',
      }),
    ),
  },
  {
    additionalProperties: false,
    description: 'an object: {"oid": "1.3.6.1.4.1.99999.1.2.0", "type": "integer", "value": 1}',
  },
)

/** What the values of an agent are called at the controller, and which can be set. */
export const mapSchema = Type.Object(
  {
    $schema: Type.Optional(Type.String({ maxLength: 200 })),
    about: Type.Optional(Type.String({ maxLength: 500, description: 'a text' })),
    technology: Type.Optional(oneOf(technologies, 'one of "5G", "WiFi", "LiFi" and "other"')),
    metrics: Type.Record(Type.String(), metricSchema(selectorMembers, '{"oid": "1.3.6.1.2.1.1.3.0"}'), {
      maxProperties: maxMetrics,
      description:
        'an object with an OID for each metric to send: {"clients": {"oid": "1.3.6.1.4.1.99999.1.1.0"}}',
    }),
    attributes: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Object(
          { oid: selectorMembers.oid },
          { additionalProperties: false, description: '{"oid": "1.3.6.1.2.1.1.5.0"}' },
        ),
        { maxProperties: 50, description: 'an object with the OID of a text for each attribute' },
      ),
    ),
    commands: Type.Optional(
      Type.Record(Type.String(), commandSchema, { maxProperties: 50, description: 'an object of commands' }),
    ),
  },
  { additionalProperties: false, description: 'a map: {"metrics": {…}}' },
)
export type SnmpMap = Static<typeof mapSchema>
export type SnmpCommand = Static<typeof commandSchema>

/** What the schema of a map cannot express. */
export function mapProblems(map: SnmpMap, path: string): string[] {
  const commands = Object.entries(map.commands ?? {}).flatMap(([name, { value, argument }]) => {
    const at = `${path}: commands.${name}`
    const problems: string[] = []
    if (!/^[\w-]{1,64}$/.test(name) || name === 'report')
      problems.push(`${at} is not a valid name. Write letters, digits, "_" and "-"; "report" is built in.`)
    if ((value === undefined) === (argument === undefined))
      problems.push(`${at} is invalid. Write either value or argument.`)
    if (argument !== undefined && !isPattern(argument))
      problems.push(`${at}.argument is invalid. Write a regular expression: "[0-9]{1,2}"`)
    return problems
  })
  return [...formProblems(map.metrics, 'oid', `${path}: metrics`), ...commands]
}

function isPattern(text: string): boolean {
  try {
    void new RegExp(`^(?:${text})$`)
    return true
  } catch {
    return false
  }
}

/** All texts of a map that contain `{if}` need an interface. */
export const needsInterface = (map: SnmpMap): boolean => JSON.stringify(map).includes('{if}')
