import { agentTopic } from '@manc/contract/topics'
import { shellQuote } from '../ui/shell-quote.ts'

/** The password of an agent, or an enrolment token with which it registers itself. */
export type AgentCredentials = { apId: string; password: string } | { token: string; pattern: string }

export interface StartSettings {
  url: string
  /** Host and port of the broker. */
  broker: string
  configuration: Record<string, unknown>
}

/**
 * The ID to configure. An agent without one uses `ap-` and its MAC address, which most token patterns reject. In that
 * case an example that matches the pattern, to be changed for each further agent.
 */
export function idFor(credentials: AgentCredentials): string | undefined {
  if ('apId' in credentials) return credentials.apId
  const { pattern } = credentials
  const acceptsDefaultId = pattern.endsWith('*') && 'ap-'.startsWith(pattern.replace(/\*+$/, ''))
  return acceptsDefaultId ? undefined : pattern.replaceAll('*', '1')
}

/** Run in a checkout of the repository, or where packages/agent was copied to. */
export function shellAgentCommands(
  credentials: AgentCredentials,
  { url, configuration }: StartSettings,
): string {
  const apId = idFor(credentials)
  const state = apId === undefined ? '$HOME/.manc-agent' : `$HOME/.manc-agent/${apId}`
  return [
    `MANC_URL=${url}`,
    ...(apId === undefined ? [] : [`MANC_AP_ID=${apId}`]),
    'token' in credentials
      ? `MANC_ENROLMENT_TOKEN=${credentials.token}`
      : `MANC_PASSWORD=${credentials.password}`,
    `MANC_CONFIGURATION=${shellQuote(JSON.stringify(configuration))}`,
    `MANC_STATE="${state}" packages/agent/manc-agent.sh`,
  ].join(' \\\n')
}

export function referenceAgentCommands(
  credentials: AgentCredentials,
  { url, configuration }: StartSettings,
): string {
  const apId = idFor(credentials)
  const name = apId === undefined ? 'manc-agent' : `manc-agent-${apId}`
  const settings = {
    url,
    ...(apId !== undefined && { ap_id: apId }),
    ...('token' in credentials ? { enrolment_token: credentials.token } : { password: credentials.password }),
    // One folder per agent: it contains the password and buffered samples.
    state_folder: `./${name}`,
    configuration,
  }
  return `(umask 077 && cat >${name}.json) <<'END'
${JSON.stringify(settings, null, 2)}
END
npx manc-agent --settings ${name}.json`
}

export function mosquittoCommands(
  { apId, password }: { apId: string; password: string },
  settings: StartSettings,
): string {
  // An IPv6 address is in brackets and contains colons.
  const [, host = '', port = '1883'] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(settings.broker) ?? []
  const common = [
    `mosquitto_pub -h ${host} -p ${port}${port === '8883' ? ' --capath /etc/ssl/certs' : ''}`,
    `-i ${apId} -u ${apId} -P ${shellQuote(password)} -q 1`,
  ].join(' ')
  return `${common} \\
  -t ${agentTopic(apId, 'onboard')} -m ${shellQuote(JSON.stringify(settings.configuration))}
${common} \\
  -t ${agentTopic(apId, 'data')} -m "{\\"ts\\": $(date +%s), \\"payload\\": {\\"clients\\": 7}}"`
}
