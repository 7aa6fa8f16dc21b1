import type { CallerName } from './callers.ts'
import type { FuzzEnvironment } from './environment.ts'
import type { Findings } from './findings.ts'
import { createHttpAgent, exchange, unlessBusy } from './http-exchange.ts'

const factor = 16
/** Time may grow so much faster than the size: it is measured on a busy machine. */
const tolerance = 3
const fixedMs = 30
const repetitions = 5

/** Where generated text is put, and how long it may become. */
interface Place {
  caller: CallerName
  method: 'GET' | 'POST'
  target: string
  /** JSON around the text. */
  around?: readonly [before: string, after: string]
  /** The form around the text. */
  form?: readonly [before: string, after: string]
  /** Of the broker. */
  isInternal?: true
  largestBytes: number
}

const mebibyte = 1_000_000
/** Node accepts 16 KiB of headers, with the request line. */
const requestLine = 12_000

const places: Record<string, Place> = {
  recoverPassword: {
    caller: 'anonymous',
    method: 'POST',
    target: '/api/v1/users/password-recovery',
    around: ['{"username":', '}'],
    largestBytes: mebibyte,
  },
  signUp: {
    caller: 'anonymous',
    method: 'POST',
    target: '/api/v1/users/signup',
    around: ['{"username":"a@b.test","password":', '}'],
    largestBytes: mebibyte,
  },
  createAgent: {
    caller: 'admin',
    method: 'POST',
    target: '/api/v1/agents/',
    around: ['{"ap_id":"fuzz-agent-0","password":"","configuration":{"a":', '}}'],
    largestBytes: mebibyte,
  },
  sendUpdate: {
    caller: 'agent',
    method: 'POST',
    target: '/api/v1/agent_update/update',
    around: ['{"samples":', '}'],
    largestBytes: mebibyte,
  },
  spinUpEmulator: {
    caller: 'user',
    method: 'POST',
    target: '/api/v1/emulator/spinup',
    around: ['{"emulators":[{"locations":', '}]}'],
    largestBytes: mebibyte,
  },
  sendCommands: {
    caller: 'admin',
    method: 'POST',
    target: '/api/v1/commands',
    around: ['{"command":"x","agents":', '}'],
    largestBytes: mebibyte,
  },
  'agents of createApp': {
    caller: 'admin',
    method: 'POST',
    target: '/api/v1/third_party_apps/',
    // It exists: the request is read completely, and nothing is stored.
    around: ['{"app_name":"fuzz-app-0","api_key":"k","permissions":{"agents":', '}}'],
    largestBytes: 65_000,
  },
  previewAlarmRule: {
    caller: 'admin',
    method: 'POST',
    target: '/api/v1/alarm_rules/preview',
    around: ['{"name":"n","severity":"info","metric":"load_pct","technologies":', '}'],
    largestBytes: mebibyte,
  },
  'expression of previewAlarmRule': {
    caller: 'admin',
    method: 'POST',
    target: '/api/v1/alarm_rules/preview',
    around: [
      '{"name":"n","severity":"info","metric":"expression","raise_op":">","raise_value":1,"expr":',
      '}',
    ],
    largestBytes: 1000,
  },
  previewRollout: {
    caller: 'admin',
    method: 'POST',
    target: '/api/v1/rollouts/preview',
    around: ['{"agents":["fuzz-agent-0"],"change":', '}'],
    largestBytes: mebibyte,
  },
  createView: {
    caller: 'admin',
    method: 'POST',
    target: '/api/v1/views',
    around: ['{"name":"","columns":', '}'],
    largestBytes: mebibyte,
  },
  'patterns of createSilence': {
    caller: 'admin',
    method: 'POST',
    target: '/api/v1/silences',
    around: ['{"comment":"","ap_ids":', '}'],
    largestBytes: mebibyte,
  },
  createDecision: {
    caller: 'admin',
    method: 'POST',
    target: '/api/v1/decisions',
    around: ['{"policy":"","mode":"watch","reason":"r","expected":[],"observed":', '}'],
    largestBytes: mebibyte,
  },
  createWhatIf: {
    caller: 'admin',
    method: 'POST',
    target: '/api/v1/what_if',
    around: ['{"name":"","document":', '}'],
    largestBytes: mebibyte,
  },
  logIn: {
    caller: 'anonymous',
    method: 'POST',
    target: '/api/v1/token/?login_type=user',
    form: ['username=', '&password=x'],
    largestBytes: mebibyte,
  },
  prometheusQuery: {
    caller: 'admin',
    method: 'POST',
    target: '/api/v1/prometheus/api/v1/query',
    form: ['query=', ''],
    largestBytes: 8000,
  },
  'login at the broker': {
    caller: 'anonymous',
    method: 'POST',
    target: '/broker/user',
    form: ['client_id=a&password=x&username=', ''],
    isInternal: true,
    largestBytes: 65_000,
  },
  'topic at the broker': {
    caller: 'anonymous',
    method: 'POST',
    target: '/broker/topic',
    form: ['username=a&vhost=/&resource=topic&name=amq.topic&permission=write&routing_key=', ''],
    isInternal: true,
    largestBytes: 65_000,
  },
  'window of getAgentMetrics': {
    caller: 'admin',
    method: 'GET',
    target: '/api/v1/metrics/agent_metrics?agent=a&window=',
    largestBytes: requestLine,
  },
  'metrics of getAgentMultiMetricData': {
    caller: 'admin',
    method: 'GET',
    target: '/api/v1/metrics/agent_multi_metric_data?agent=a&metrics=',
    largestBytes: requestLine,
  },
  'bbox of listFleetAgents': {
    caller: 'admin',
    method: 'GET',
    target: '/api/v1/fleet/agents?bbox=',
    largestBytes: requestLine,
  },
  'search of getFleetTable': {
    caller: 'admin',
    method: 'GET',
    target: '/api/v1/fleet/table?q=',
    largestBytes: requestLine,
  },
  'agents of listEvents': {
    caller: 'admin',
    method: 'GET',
    target: '/api/v1/events?ap_id=',
    largestBytes: requestLine,
  },
}

const list = (item: string) => (bytes: number) =>
  `[${Array.from({ length: Math.floor(bytes / (item.length + 1)) }, () => item).join(',')}]`
const text = (unit: string) => (bytes: number) => `"${unit.repeat(Math.floor(bytes / unit.length))}"`

/** JSON values of about so many bytes. */
const jsonFamilies: Record<string, (bytes: number) => string> = {
  'numbers of 308 digits': list('9'.repeat(308)),
  'one number': (bytes) => '9'.repeat(bytes),
  'numbers with exponents': list('1e300'),
  'empty objects': list('{}'),
  'small samples': list('{"a":1}'),
  'lists in lists': list('[[[[[[]]]]]]'),
  members: (bytes) =>
    `{${Array.from({ length: Math.floor(bytes / 14) }, (_, n) => `"k${String(n).padStart(7, '0')}":1`).join(',')}}`,
  'the same member': (bytes) => `{${Array.from({ length: Math.floor(bytes / 6) }, () => '"a":1').join(',')}}`,
  letters: text('a'),
  'letters and dots': text('a.'),
  'at signs': text('@'),
  'escaped quotes': text(String.raw`\"`),
  backslashes: text(String.raw`\\`),
  'escaped surrogates': text(String.raw`\ud83d\ude00`),
  'spaces in a text': text(' '),
  'spaces and a fault': (bytes) => `${' '.repeat(bytes)}x`,
  'line breaks and a fault': (bytes) => `${'\n'.repeat(bytes)}x`,
  'an open text': (bytes) => `"${'a'.repeat(bytes)}`,
  'open lists': (bytes) => '['.repeat(bytes),
  locations: list('"51.4545,-2.5879"'),
  'places without a match': list('"zzzzzzzz"'),
  patterns: list('"a*a*a*a*a*b"'),
  'one pattern': text('a*'),
  expressions: text('abs('),
}

/** Texts of a query or form. */
const plainFamilies: Record<string, (bytes: number) => string> = {
  digits: (bytes) => '9'.repeat(bytes),
  spaces: (bytes) => `5${'+'.repeat(bytes)}!`,
  commas: (bytes) => ','.repeat(bytes),
  'escaped spaces': (bytes) => `${'%20'.repeat(bytes / 3)}x`,
  pairs: (bytes) => '&a=b'.repeat(bytes / 4),
  percents: (bytes) => '%'.repeat(bytes),
  stars: (bytes) => '*'.repeat(bytes),
  brackets: (bytes) => '('.repeat(bytes),
  functions: (bytes) => 'abs('.repeat(bytes / 4),
  operators: (bytes) => `${'1*'.repeat(bytes / 2)}1`,
  selectors: (bytes) => `{a=~"${'(a|b)'.repeat(bytes / 5)}"}`,
  'routing keys': (bytes) => 'agent.a.'.repeat(bytes / 8),
}

/** Processing time grows with the size of the input only, whatever the input is. */
export async function checkTimes(environment: FuzzEnvironment, attempts: number, findings: Findings) {
  const agent = createHttpAgent(1)
  let slowest = { what: '', ms: 0 }
  let count = 0
  /** By place: a size that is refused at once says nothing of the time that others take. */
  const statuses = new Map<string, Map<number, number>>()
  for (const [name, place] of Object.entries(places)) {
    const families = place.around ? jsonFamilies : plainFamilies
    const counts = new Map<number, number>()
    statuses.set(name, counts)
    for (const [family, make] of Object.entries(families)) {
      const timeOf = async (bytes: number) => {
        const { target, body } = requestOf(place, make(bytes))
        const headers = {
          ...environment.callers.headersOf(place.caller),
          'content-type': place.around ? 'application/json' : 'application/x-www-form-urlencoded',
        }
        const times: number[] = []
        for (let n = 0; n < attempts; n++) {
          const reply = await unlessBusy(() =>
            exchange(place.isInternal ? environment.internalUrl : environment.url, agent, {
              method: place.method,
              target,
              headers,
              body,
            }),
          )
          if (!reply || reply.status >= 500)
            findings.add({ problem: `status ${reply?.status}`, where: name, evidence: family })
          counts.set(reply?.status ?? 0, (counts.get(reply?.status ?? 0) ?? 0) + 1)
          times.push(reply?.ms ?? 0)
          count += 1
        }
        return Math.min(...times)
      }
      const small = await timeOf(place.largestBytes / factor)
      const isLinear = (ms: number) => ms <= small * factor * tolerance + fixedMs
      let large = await timeOf(place.largestBytes)
      // Another program may have used the processor: a time that is too long counts only if it stays so.
      for (let again = 0; again < repetitions && !isLinear(large); again++)
        large = Math.min(large, await timeOf(place.largestBytes))
      if (large > slowest.ms) slowest = { what: `${name} with ${family}`, ms: large }
      if (!isLinear(large))
        findings.add({
          problem: 'the time grows faster than the input',
          where: name,
          evidence: `${family}: ${small.toFixed(1)} ms for a ${factor}th, ${large.toFixed(1)} ms for all of ${place.largestBytes} bytes`,
        })
    }
  }
  agent.destroy()
  return { requests: count, slowest, statuses }
}

function requestOf({ target, around, form }: Place, content: string) {
  const parts = around ?? form
  if (parts) return { target, body: Buffer.from(parts[0] + content + parts[1]) }
  return { target: target + content, body: undefined }
}
