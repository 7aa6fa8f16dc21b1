/**
 * The MQTT topics of agents and the AMQP routing keys that RabbitMQ derives from them: its MQTT plugin replaces each `/`
 * by `.`. An `ap_id` contains neither of the two, nor a wildcard (`apIdPattern`).
 *
 * This file imports nothing, so that small programs can load it alone: `@manc/contract/topics`.
 */

/** Topics that an agent publishes to. */
export const publishedTopics = ['clients', 'data', 'onboard', 'result', 'status'] as const
/** Topics that an agent subscribes to. */
export const subscribedTopics = ['command'] as const
export type AgentTopic = (typeof publishedTopics)[number] | (typeof subscribedTopics)[number]

/** The MQTT topic: `agent/<ap_id>/data`. */
export const agentTopic = (apId: string, topic: AgentTopic): string => `agent/${apId}/${topic}`

/** The same topic as an AMQP routing key: `agent.<ap_id>.data`. */
export const agentRoutingKey = (apId: string, topic: AgentTopic): string => `agent.${apId}.${topic}`

/** The binding key that matches this topic of every agent: `agent.*.data`. */
export const agentBindingKey = (topic: AgentTopic): string => agentRoutingKey('*', topic)

/** Reverses `agentRoutingKey`. Bindings let no other keys through; for one the parts are empty. */
export function parseAgentRoutingKey(routingKey: string): { apId: string; topic: string } {
  const [, apId = '', topic = ''] = routingKey.split('.')
  return { apId, topic }
}

/** Clients that one message on `agent/<ap_id>/clients` may list. A larger access point reports the first ones. */
export const maxReportedClients = 5000
/** Access points that a client hears, in a report of it. */
export const maxHeardAccessPoints = 8
/** How often an agent sends all of its clients, so that the controller finds lost changes. */
export const clientSnapshotS = 20

/**
 * The measurement of an agent in the line protocol of VictoriaMetrics, and the `key` of its data in the HTTP interface.
 * It equals the MQTT topic, but is stored: it must never change.
 */
export const measurementOf = (apId: string): string => `agent/${apId}/data`
