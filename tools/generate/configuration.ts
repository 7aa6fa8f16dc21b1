import { Settings } from '../../packages/server/src/settings.ts'

interface Setting {
  description?: string
  default?: unknown
  writeOnly?: boolean
}

/** docs/configuration.md: one row for each setting of the server. */
export function configurationPage(): string {
  const rows = Object.entries(Settings.properties as Record<string, Setting>).map(([name, setting]) => {
    const needed = Settings.required?.some((each) => each === name) && setting.default === undefined
    const standard =
      setting.default === undefined ? (needed ? '**required**' : 'none') : show(setting.default)
    return `| \`${name}\` | ${standard} | ${setting.description ?? ''}${setting.writeOnly ? ' *Secret.*' : ''} |`
  })
  return [
    '# Settings',
    '',
    'Every setting of `manc-server`, read from the environment at start. A wrong, missing or unknown `MANC_` setting',
    'stops the start with a message that names it. Any setting `X` can be given as `X_FILE`, the path of a file that',
    'holds the value: use that for secrets. This page is made from `packages/server/src/settings` by `npm run docs`.',
    '',
    '| setting | default | meaning |',
    '|---|---|---|',
    ...rows,
    '',
    'Fixed limits: `configuration` and `permissions` 64 KiB each as JSON; JSON nested at most 64 levels deep; 32 roles of',
    '64 characters a user.',
    '',
  ].join('\n')
}

const show = (value: unknown) => (value === '' ? 'empty' : `\`${String(value)}\``)
