import { apIdPattern } from '@manc/contract'
import Type, { type Static } from 'typebox'
import { listenerSchema } from '../drivers/ucentral/listener-settings.ts'

/** The description of each member says what to write there: error messages quote it. */
const text = (maxLength: number, description: string) => Type.String({ minLength: 1, maxLength, description })

const seconds = (minimum: number, maximum: number, description: string) =>
  Type.Number({ minimum, maximum, description })

/** An object whose members are checked elsewhere. */
const object = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description })

const texts = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), { maxItems: 100, description })

export const sourcesMember = texts('a list of names; `manc-agent check` shows them: ["network", "cpu"]')
export const pluginsMember = texts('a list of files and folders: ["/etc/manc-agent/plugins"]')

/** Members of an access point. Beside `access_points` they are defaults of all of them. */
const accessPointMembers = {
  ap_id: Type.Optional(
    Type.String({
      pattern: apIdPattern,
      description: 'letters, digits, "_", ":" and "-", at most 64, for example "wifi-7"',
    }),
  ),
  password: Type.Optional(text(256, 'the password with which this agent was registered')),
  enrolment_token: Type.Optional(text(1000, 'the token of an administrator: "enrol_…"')),
  interval_s: Type.Optional(seconds(1, 86_400, 'seconds between samples, from 1 to 86400: 10')),
  timeout_s: Type.Optional(seconds(0.1, 300, 'seconds that a reading may take, from 0.1 to 300: 10')),
  keep_mib: Type.Optional(
    Type.Number({
      minimum: 1,
      maximum: 1024,
      description: 'the limit for unsent samples in MiB, from 1 to 1024: 16',
    }),
  ),
  configuration: Type.Optional(
    object(
      'an object of attributes for the controller: {"technology": "WiFi", "geolocation": {"latitude": 51.45, "longitude": -2.59}}',
    ),
  ),
  commands: Type.Optional(object('{"reboot": {"run": ["/sbin/reboot"]}}')),
  sources: Type.Optional(sourcesMember),
  plugins: Type.Optional(pluginsMember),
  device: Type.Optional(
    object('what to read and how: {"driver": "snmp", "address": "192.0.2.7", "community": "public"}'),
  ),
}

const entryAdvice = 'an object: {"ap_id": "wifi-7", "device": {"driver": "snmp", "address": "192.0.2.7"}}'

export const accessPointSchema = Type.Object(accessPointMembers, {
  additionalProperties: false,
  description: entryAdvice,
})
export type AccessPointMembers = Static<typeof accessPointSchema>

export const fileSchema = Type.Object(
  {
    url: Type.String({
      pattern: '^https?://[^\\s/]+',
      maxLength: 2000,
      description: 'the address of the controller: "https://manc.example.org"',
    }),
    mqtt_url: Type.Optional(
      Type.String({
        pattern: '^(mqtts?|wss?)://[^\\s/]+',
        maxLength: 2000,
        description: 'the address of the broker: "mqtts://manc.example.org:8883"',
      }),
    ),
    ca_file: Type.Optional(text(4096, 'the file of the CA to trust: "/etc/manc/ca.pem"')),
    cert_file: Type.Optional(text(4096, 'the file of a client certificate: "/etc/manc/agent.pem"')),
    client_key_file: Type.Optional(text(4096, 'the file of its key: "/etc/manc/agent-key.pem"')),
    state_folder: Type.Optional(text(4096, 'a folder: "/var/lib/manc-agent"')),
    concurrency: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        description: 'how many devices are read at the same time, from 1 to 1000: 64',
      }),
    ),
    ucentral: Type.Optional(listenerSchema),
    access_points: Type.Optional(
      Type.Array(object(entryAdvice), {
        minItems: 1,
        maxItems: 1000,
        description:
          'a list of 1 to 1000 access points: [{"ap_id": "wifi-7", "device": {"driver": "snmp", …}}]',
      }),
    ),
    ...accessPointMembers,
  },
  { additionalProperties: false, description: 'one JSON object: {"url": "https://…"}' },
)
export type FileMembers = Static<typeof fileSchema>

export const commandSchema = Type.Object(
  {
    run: Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), {
      minItems: 1,
      maxItems: 100,
      description: 'the absolute path of the program, and its arguments: ["/sbin/reboot"]',
    }),
    arguments: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 1000 }), {
        maxItems: 32,
        description: 'a pattern for each further argument: ["[0-9]{1,3}"]',
      }),
    ),
    timeout_s: Type.Optional(seconds(1, 3600, 'seconds from 1 to 3600: 30')),
  },
  { additionalProperties: false, description: 'an object: {"run": ["/sbin/reboot"]}' },
)
