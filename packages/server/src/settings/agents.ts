import { count, limit, retryLater, seconds, suspension } from './kinds.ts'

/** What agents send. */
export const agentSettings = {
  MANC_TELEMETRY_DAYS: count(
    395,
    'Retention of telemetry in days; older samples are refused. Set the same retention in VictoriaMetrics.',
  ),
  MANC_AGENT_MESSAGES_PER_SECOND: limit(
    10,
    { owner: 'agent', response: suspension },
    'Messages of one agent per second over MQTT, on average, per process: each ingester and subscriber counts what it receives. At once those of `MANC_AGENT_BACKLOG_SECONDS`.',
  ),
  MANC_AGENT_SAMPLES_PER_SECOND: limit(
    100,
    { owner: 'agent', response: `${retryLater}; over MQTT: ${suspension}` },
    'Samples of one agent per second, on average, per process: each ingester, and each replica over HTTP, counts what it receives. At once those of `MANC_AGENT_BACKLOG_SECONDS`.',
  ),
  MANC_AGENT_BYTES_PER_SECOND: limit(
    32_768,
    { owner: 'agent', response: `${retryLater}; over MQTT: ${suspension}` },
    'Bytes of samples, and over MQTT of other messages, of one agent per second, on average, per process: each ingester and subscriber, and each replica over HTTP, counts what it receives. At once those of `MANC_AGENT_BACKLOG_SECONDS`. Of the message and of the lines that are written to VictoriaMetrics, the larger counts.',
  ),
  MANC_AGENT_BACKLOG_SECONDS: seconds(
    1800,
    'What an agent may send at once, for example after an outage: its messages, samples and bytes per second times this. A suspended agent has as much again for what is on its way.',
  ),
  MANC_AGENT_SAMPLES_PER_MESSAGE: limit(
    10_000,
    { owner: 'agent', response: '422; over MQTT the message is rejected' },
    'Samples in one message or request.',
  ),
  MANC_AGENT_METRIC_NAMES: limit(
    1000,
    { owner: 'agent', response: 'samples with further names are rejected' },
    'Metric names of one agent, per ingester since its start.',
  ),
  MANC_AGENT_ATTRIBUTE_BYTES: limit(
    16_384,
    { owner: 'agent', response: 'further attributes are rejected' },
    'Size of the attributes of one agent: values in its samples that are no numbers.',
  ),
  MANC_AGENT_ONBOARDINGS_PER_MINUTE: limit(
    10,
    { owner: 'agent', response: `${retryLater}; over MQTT: ${suspension}` },
    'Changes of its configuration that one agent may send per minute, per replica.',
  ),
  MANC_CONFIGURATION_VERSIONS: limit(
    20,
    { owner: 'agent', response: 'the oldest version is deleted', isCounted: false },
    'Versions of the configuration of one agent that are stored, with the current one.',
  ),
  MANC_CONFIGURATION_VERSIONS_BYTES: limit(
    262_144,
    {
      owner: 'agent',
      response: 'the oldest versions are deleted, except the current and the previous one',
      isCounted: false,
    },
    'Size of the stored versions of the configuration of one agent.',
  ),
  MANC_ROLLOUTS: limit(
    5,
    { owner: 'user', response: '409' },
    'Rollouts of configurations of one user that are in progress at the same time.',
  ),
  MANC_ROLLOUTS_KEPT: limit(
    100,
    { owner: 'user', response: 'the oldest one is deleted', isCounted: false },
    'Rollouts of one user that are stored and not in progress.',
  ),
  MANC_ROLLOUT_DAYS: count(30, 'Retention of rollouts that are not in progress, in days.'),
  MANC_HEALTH_SECONDS: seconds(
    30,
    'How long a KPI has to be beyond a threshold, in at least 3 samples, until the health of the access point changes, and how long it has to be better until it changes back. Set the same value for all ingesters.',
  ),
  MANC_INGESTER_HELD_BYTES: count(
    268_435_456,
    'Maximum telemetry in the memory of one ingester that VictoriaMetrics has not yet stored durably.',
  ),
}
