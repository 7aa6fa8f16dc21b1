import { shellQuote } from '../ui/shell-quote.ts'

export interface ExampleContext {
  url: string
  username: string
  /** The access point in the example. */
  apId: string
}

export type Language = 'curl' | 'SDK' | 'CLI'
export const languages: readonly Language[] = ['curl', 'SDK', 'CLI']

export interface Task {
  label: string
  /** Hidden from users who may not send commands. */
  operatorsOnly?: true
  texts: Record<Language, (context: ExampleContext) => string>
}

const bearer = '-H "Authorization: Bearer $TOKEN"'
const extractJobNumber = String.raw`sed 's/.*"job_number":"\([^"]*\)".*/\1/'`

const connect = ({ url, username }: ExampleContext) => `import { Manc } from '@manc/sdk'

const manc = new Manc({
  url: '${url}',
  credentials: { username: ${JSON.stringify(username)}, password: process.env.MANC_PASSWORD },
})`

const withSdk = (body: (context: ExampleContext) => string) => (context: ExampleContext) =>
  `${connect(context)}\n\n${body(context)}`

/** Common tasks with curl, the SDK and the CLI. */
export const tasks = {
  logIn: {
    label: 'Log in',
    texts: {
      curl: ({ url, username }) => `read -rs MANC_PASSWORD
TOKEN=$(curl -s '${url}/api/v1/token/?login_type=user' \\
  --data-urlencode ${shellQuote(`username=${username}`)} --data-urlencode "password=$MANC_PASSWORD" |
  sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
      SDK: withSdk(() => 'await manc.logIn() // or let the first request do it'),
      CLI: ({ url, username }) => `manc login --url ${url} --username ${shellQuote(username)}`,
    },
  },
  fleet: {
    label: 'List access points',
    texts: {
      curl: ({ url }) => `curl -s '${url}/api/v1/fleet/summary' ${bearer}
curl -s '${url}/api/v1/fleet/figures' ${bearer}
curl -s '${url}/api/v1/fleet/agents?state=online&limit=100' ${bearer}`,
      SDK: withSdk(
        () => `console.log(await manc.fleet.summary(), await manc.fleet.figures())
for await (const { ap_id, technology } of manc.fleet.agents({ state: ['online'] }))
  console.log(ap_id, technology)`,
      ),
      CLI: () => 'manc fleet --once\nmanc agents list --state online',
    },
  },
  chart: {
    label: 'Read metrics',
    texts: {
      curl: ({ url, apId }) =>
        `curl -s '${url}/api/v1/metrics/agent_multi_metric_data?agent=${apId}&metrics=clients,throughput_mbps&window=15m' \\
  ${bearer}`,
      SDK: withSdk(
        ({
          apId,
        }) => `const { series } = await manc.telemetry.chart('${apId}', ['clients', 'throughput_mbps'], {
  window: '15m',
})
for (const { metric, points } of series) console.log(metric, points.at(-1))`,
      ),
      CLI: ({ apId }) => `manc telemetry chart ${apId} clients throughput_mbps --window 15m`,
    },
  },
  history: {
    label: 'Read history',
    texts: {
      curl: ({ url, apId }) => `FROM=$(date -u -d '1 hour ago' +%FT%TZ) TO=$(date -u +%FT%TZ)
JOB=$(curl -s -X POST \\
  "${url}/api/v1/agent_data/request_agent_data?agent_id=${apId}&start_time=$FROM&end_time=$TO" \\
  ${bearer} | ${extractJobNumber})
# The result is delivered over a WebSocket. For read-job.mjs see docs/apps.md.
node read-job.mjs ${url}/api/v1 "$TOKEN" "$JOB"`,
      SDK: withSdk(
        ({ apId }) => `const from = new Date(Date.now() - 3_600_000)
for await (const { time, field, value } of manc.telemetry.history('${apId}', { from }))
  console.log(time, field, value)`,
      ),
      CLI: ({ apId }) => `manc telemetry history ${apId} --from 1h > ${apId}.csv`,
    },
  },
  watch: {
    label: 'Watch live data',
    texts: {
      curl: ({ url, apId }) => `JOB=$(curl -s -X POST '${url}/api/v1/agent_data/subscribe?agent_id=${apId}' \\
  ${bearer} | ${extractJobNumber})
# Samples are delivered over a WebSocket. For read-job.mjs see docs/apps.md.
node read-job.mjs ${url}/api/v1 "$TOKEN" "$JOB"`,
      SDK: withSdk(
        ({ apId }) =>
          `for await (const { time, values } of manc.telemetry.watch(['${apId}'])) console.log(time, values)`,
      ),
      CLI: ({ apId }) => `manc agents watch ${apId}`,
    },
  },
  command: {
    label: 'Send a command',
    operatorsOnly: true,
    texts: {
      curl: ({ url, apId }) =>
        `curl -s -X POST '${url}/api/v1/send_command?agent_id=${apId}&command=reboot' ${bearer}`,
      SDK: withSdk(
        ({ apId }) => `const reboot = await manc.commands.send('${apId}', 'reboot')
for await (const { state } of reboot) console.log(state) // sent, delivered, succeeded`,
      ),
      CLI: ({ apId }) => `manc commands send ${apId} reboot`,
    },
  },
  emulate: {
    label: 'Emulate a network',
    texts: {
      curl: ({ url }) => `curl -s '${url}/api/v1/emulator/spinup' ${bearer} \\
  -H 'Content-Type: application/json' -d '{"emulators": [{"access_point_type": "LiFi",
    "num_access_points": 5, "locations": ["Bristol"], "num_devices": 10, "duration": 600}]}'`,
      SDK: withSdk(
        () => `const network = await manc.emulator.spinUp([
  { access_point_type: 'LiFi', num_access_points: 5, locations: ['Bristol'], num_devices: 10, duration: 600 },
])
for await (const { live, agents } of network) console.log(\`\${live} of \${agents}\`)`,
      ),
      CLI: () => 'manc emulate --lifi 5 --at Bristol --devices 10 --duration 10m',
    },
  },
} as const satisfies Record<string, Task>

export type TaskName = keyof typeof tasks
