import type { BrokerNode } from '../../engines/rabbitmq/index.ts'
import type { Part } from './parts.types.ts'
import { countOf, sizeOf } from './texts.format.ts'

type Judged = Omit<Part, 'id' | 'name'>

/** What `manc capacity` plans to stay free: the store needs space to merge its files. */
const lowShare = 0.2
const veryLowShare = 0.05

export function storeDiskPart(disk: { free: number; data: number; isReadOnly: boolean }): Judged {
  const { free, data, isReadOnly } = disk
  const figures = { free_bytes: free, data_bytes: data }
  const share = free / (free + data)
  const reason = `${sizeOf(free)} are free, and the data uses ${sizeOf(data)}.`
  if (!isReadOnly && share >= lowShare) return { state: 'good', reason, figures }
  return {
    state: isReadOnly || share < veryLowShare ? 'bad' : 'degraded',
    reason: isReadOnly ? `It accepts no samples, since its disk is full: ${reason}` : reason,
    nextStep: 'Enlarge the disk, or shorten -retentionPeriod.',
    runbook: 'capacity',
    figures,
  }
}

/** Below its limit the broker accepts no messages. */
const limitFactor = 2

export function brokerDiskPart(nodes: readonly BrokerNode[]): Judged {
  const up = nodes.filter(({ isRunning }) => isRunning)
  const free = Math.min(...up.map(({ diskFree = 0 }) => diskFree))
  const limit = Math.max(0, ...up.map(({ diskFreeLimit = 0 }) => diskFreeLimit))
  const down = nodes.length - up.length
  const figures = { nodes: nodes.length, nodes_down: down, free_bytes: free, limit_bytes: limit }
  const text = `${sizeOf(free)} are free; below ${sizeOf(limit)} it accepts no messages.`
  if (nodes.some(({ hasAlarm }) => hasAlarm))
    return {
      state: 'bad',
      reason: `It accepts no messages, because of an alarm of its disk or memory. ${text}`,
      nextStep: 'Free disk or memory of the broker: see rabbitmqctl alarms.',
      runbook: 'clusters',
      figures,
    }
  if (down > 0)
    return {
      state: 'degraded',
      reason: `${countOf(down, 'node')} of ${nodes.length} ${down === 1 ? 'is' : 'are'} down. ${text}`,
      nextStep: 'Start the node again.',
      runbook: 'clusters',
      figures,
    }
  if (free >= limitFactor * limit) return { state: 'good', reason: text, figures }
  return {
    state: 'degraded',
    reason: text,
    nextStep: 'Enlarge the disk of RabbitMQ.',
    runbook: 'capacity',
    figures,
  }
}

export const brokerDisk = { id: 'rabbitmq_disk', name: 'Disk of RabbitMQ' }

export const noBrokerDisk: Part = {
  ...brokerDisk,
  state: 'unknown',
  reason: 'Only the management API of RabbitMQ shows it, and no process has its address.',
  nextStep: 'Set MANC_RABBITMQ_MANAGEMENT_URL of the subscribers.',
  runbook: 'running',
}

export function databasePart(bytes: number): Judged {
  return {
    state: 'good',
    reason: `The data uses ${sizeOf(bytes)}. The free disk of PostgreSQL is not visible from here: monitor its machine.`,
    figures: { data_bytes: bytes },
  }
}
