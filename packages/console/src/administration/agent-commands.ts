import { quoted } from '../developers/quoted.ts'

/** With what an agent gets in: a password of its own, or a token with which it registers itself. */
export type Entrance = { apId: string; password: string } | { token: string; pattern: string }

export interface Setting {
  url: string
  /** Host and port of the broker. */
  broker: string
  configuration: Record<string, unknown>
}

/**
 * The id that an agent has to be told. Without one it makes `ap-` and the address of its network card, which most
 * patterns of a token do not let in: then one that fits, to be changed for each further device.
 */
export function idFor(entrance: Entrance): string | undefined {
  if ('apId' in entrance) return entrance.apId
  const { pattern } = entrance
  const letsAllIn = pattern.endsWith('*') && 'ap-'.startsWith(pattern.replace(/\*+$/, ''))
  return letsAllIn ? undefined : pattern.replaceAll('*', '1')
}

/** What to type on the device, by kind of agent. Run where this repository, or its packages/agent, is. */
export function shellAgent(entrance: Entrance, { url, configuration }: Setting): string {
  const apId = idFor(entrance)
  const state = apId === undefined ? '$HOME/.manc-agent' : `$HOME/.manc-agent/${apId}`
  return [
    `MANC_URL=${url}`,
    ...(apId === undefined ? [] : [`MANC_AP_ID=${apId}`]),
    'token' in entrance ? `MANC_ENROLMENT_TOKEN=${entrance.token}` : `MANC_PASSWORD=${entrance.password}`,
    `MANC_CONFIGURATION=${quoted(JSON.stringify(configuration))}`,
    `MANC_STATE="${state}" packages/agent/manc-agent.sh`,
  ].join(' \\\n')
}

export function referenceAgent(entrance: Entrance, { url, configuration }: Setting): string {
  const apId = idFor(entrance)
  const name = apId === undefined ? 'manc-agent' : `manc-agent-${apId}`
  const settings = {
    url,
    ...(apId !== undefined && { ap_id: apId }),
    ...('token' in entrance ? { enrolment_token: entrance.token } : { password: entrance.password }),
    // Of this agent alone: its password and its samples are in there.
    state_folder: `./${name}`,
    configuration,
  }
  return `(umask 077 && cat >${name}.json) <<'END'
${JSON.stringify(settings, null, 2)}
END
node packages/agent/src/main.ts --settings ${name}.json`
}

export function mosquitto({ apId, password }: { apId: string; password: string }, setting: Setting): string {
  // An IPv6 address stands in brackets, and has colons of its own.
  const [, host = '', port = '1883'] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(setting.broker) ?? []
  const common = [
    `mosquitto_pub -h ${host} -p ${port}${port === '8883' ? ' --capath /etc/ssl/certs' : ''}`,
    `-i ${apId} -u ${apId} -P ${quoted(password)} -q 1`,
  ].join(' ')
  return `${common} \\
  -t agent/${apId}/onboard -m ${quoted(JSON.stringify(setting.configuration))}
${common} \\
  -t agent/${apId}/data -m "{\\"ts\\": $(date +%s), \\"payload\\": {\\"clients\\": 7}}"`
}
