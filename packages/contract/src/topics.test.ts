import { expect, it } from 'vitest'
import {
  agentBindingKey,
  agentRoutingKey,
  agentTopic,
  measurementOf,
  parseAgentRoutingKey,
} from './topics.ts'

it('builds topics, routing keys and measurements in the documented form', () => {
  expect(agentTopic('aa:bb-1', 'data')).toBe('agent/aa:bb-1/data')
  expect(agentRoutingKey('aa:bb-1', 'command')).toBe('agent.aa:bb-1.command')
  expect(agentBindingKey('status')).toBe('agent.*.status')
  expect(measurementOf('aa:bb-1')).toBe('agent/aa:bb-1/data')
})

it('parses routing keys that it built', () => {
  expect(parseAgentRoutingKey(agentRoutingKey('ap_1', 'result'))).toEqual({ apId: 'ap_1', topic: 'result' })
  expect(parseAgentRoutingKey('agent')).toEqual({ apId: '', topic: '' })
})
