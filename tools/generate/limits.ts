import { countedLimits, limits, Settings } from '../../packages/server/src/settings.ts'

/** docs/operations/limits.md: one row for each setting that is a limit. */
export function limitsPage(): string {
  const rows = Object.entries(limits).map(([name, { owner, response }]) => {
    const setting = Settings.properties[name as keyof typeof Settings.properties]
    const { description = '', default: standard } = setting as { description?: string; default?: unknown }
    return `| \`${name}\` | ${owner} | \`${String(standard)}\` | ${description} | ${response} |`
  })
  const uncounted = Object.keys(limits).filter((name) => !countedLimits.includes(name))
  return [
    '# Limits',
    '',
    'Every resource that a caller can use up has a limit for each owner: a user, an app, an agent, or an address for',
    'requests without a token. The defaults let an ordinary caller work without noticing them, and keep one caller from',
    'slowing down the others. This page is generated from `packages/server/src/settings` by `npm run docs`.',
    '',
    '| setting | counted for each | default | meaning | beyond it |',
    '|---|---|---|---|---|',
    ...rows,
    '',
    '## Which limit is reached',
    '',
    'The response names what to do and, in `Retry-After`, when to try again. The metric',
    '`manc_limit_reached_total{limit="…"}` counts refusals by setting. Not in it are limits that refuse nothing, as they',
    'delete the oldest:',
    `${uncounted.map((name) => `\`${name}\``).join(', ')}.`,
    '',
    '## Raise a limit',
    '',
    '1. Set the variable in the environment of every `manc-server` process (compose: `.env`; Kubernetes: `settings` of',
    '   the chart, or with Kustomize a literal of `manc-settings` in your overlay, which is added to `base/settings.env`;',
    '   systemd: the environment file), with the same value everywhere.',
    '2. Restart the processes one at a time ([upgrade](upgrade.md) describes how without an outage).',
    '3. Compare `manc_limit_reached_total` and the load of the engines with the values before the change.',
    '',
  ].join('\n')
}
