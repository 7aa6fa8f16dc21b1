/** With what an agent gets in: a password of its own, or a token with which it registers itself. */
export type Entrance = { apId: string; password: string } | { token: string }

export interface Setting {
  url: string
  /** Host and port of the broker. */
  broker: string
  configuration: Record<string, unknown>
}

/** What to type on the device, by kind of agent. Run where this repository, or its packages/agent, is. */
export function shellAgent(entrance: Entrance, { url, configuration }: Setting): string {
  const who =
    'token' in entrance
      ? [`MANC_ENROLMENT_TOKEN=${entrance.token}`]
      : [`MANC_AP_ID=${entrance.apId}`, `MANC_PASSWORD=${entrance.password}`]
  return [
    `MANC_URL=${url} \\`,
    ...who.map((line) => `${line} \\`),
    `MANC_CONFIGURATION=${quoted(JSON.stringify(configuration))} \\`,
    'MANC_STATE="$HOME/.manc-agent" packages/agent/manc-agent.sh',
  ].join('\n')
}

export function referenceAgent(entrance: Entrance, { url, configuration }: Setting): string {
  const who =
    'token' in entrance
      ? { enrolment_token: entrance.token }
      : { ap_id: entrance.apId, password: entrance.password }
  const settings = JSON.stringify({ url, ...who, state_folder: './manc-agent', configuration }, null, 2)
  return `(umask 077 && cat >manc-agent.json) <<'END'
${settings}
END
node packages/agent/src/main.ts --settings manc-agent.json`
}

export function mosquitto({ apId, password }: { apId: string; password: string }, setting: Setting): string {
  const [host = '', port = '1883'] = setting.broker.split(':')
  const common = [
    `mosquitto_pub -h ${host} -p ${port}${port === '8883' ? ' --capath /etc/ssl/certs' : ''}`,
    `-i ${apId} -u ${apId} -P ${quoted(password)} -q 1`,
  ].join(' ')
  return `${common} \\
  -t agent/${apId}/onboard -m ${quoted(JSON.stringify(setting.configuration))}
${common} \\
  -t agent/${apId}/data -m "{\\"ts\\": $(date +%s), \\"payload\\": {\\"clients\\": 7}}"`
}

/** For a POSIX shell. */
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
