import Type, { type Static } from 'typebox'

export const schema = Type.Object(
  {
    driver: Type.Literal('ucentral'),
    serial: Type.String({
      pattern: '^(?=[:._-]*[0-9A-Za-z])[0-9A-Za-z:._-]{1,64}$',
      description: 'the serial number of the access point, which usually is its MAC address: "903cb3bb1c1a"',
    }),
    certificate_name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description:
          'the common name of its certificate, if that is not the serial number: "ap-7.example.org"',
      }),
    ),
    configurations: Type.Optional(
      Type.Record(Type.String(), Type.String({ minLength: 1, maxLength: 4096 }), {
        description:
          'files with configurations that the command configure may apply, by name: {"night": "/etc/manc-agent/ucentral-night.json"}',
      }),
    ),
  },
  { additionalProperties: false },
)
export type Options = Static<typeof schema>
