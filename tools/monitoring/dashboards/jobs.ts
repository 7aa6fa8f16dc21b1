import type { Dashboard } from '../grafana.ts'
import { one } from './panels.ts'

export const jobs: Dashboard = {
  uid: 'manc-jobs',
  title: 'MANC jobs and commands',
  description: 'Work with results that are delivered later.',
  rows: [
    {
      title: 'Jobs',
      panels: [
        one({
          title: 'To do',
          description: 'Jobs of all replicas that are queued or running.',
          unit: 'short',
          expr: 'max by (kind, state) (manc_jobs) or vector(0)',
          legend: '{{kind}} {{state}}',
        }),
        one({
          title: 'Created',
          description: 'By kind.',
          unit: 'cps',
          expr: 'sum by (kind) (rate(manc_jobs_created_total[5m]))',
          legend: '{{kind}}',
        }),
        one({
          title: 'Ended',
          description: 'By kind and state.',
          unit: 'cps',
          expr: 'sum by (kind, state) (rate(manc_jobs_ended_total[5m]))',
          legend: '{{kind}} {{state}}',
        }),
      ],
    },
    {
      title: 'Delivery',
      panels: [
        one({
          title: 'Oldest unpublished job',
          description: 'More than some seconds: RabbitMQ is down, or no api process runs.',
          unit: 's',
          expr: 'max(manc_outbox_oldest_seconds)',
          legend: 'age',
        }),
        {
          title: 'Mailboxes on disk',
          description: 'Messages that wait for their clients.',
          unit: 'bytes',
          series: [
            { expr: 'max(manc_mailbox_bytes)', legend: 'used' },
            { expr: 'max(manc_mailbox_bytes_limit)', legend: 'limit' },
          ],
        },
      ],
    },
    {
      title: 'Commands',
      panels: [
        one({
          title: 'Not ended',
          description: 'Commands of all replicas that wait for their agent or its result.',
          unit: 'short',
          expr: 'max by (state) (manc_commands) or vector(0)',
          legend: '{{state}}',
        }),
        one({
          title: 'Changes',
          description: 'Commands that changed to a state.',
          unit: 'cps',
          expr: 'sum by (state) (rate(manc_command_changes_total[5m]))',
          legend: '{{state}}',
        }),
      ],
    },
  ],
}
