import { failedRequests, ofManc } from '../expressions.ts'
import type { Dashboard } from '../grafana.ts'
import { lagPanel, one, requestRate, samples } from './panels.ts'

export const overview: Dashboard = {
  uid: 'manc-overview',
  title: 'MANC overview',
  description: 'Whether the controller works: engines, processes, requests, telemetry, jobs.',
  rows: [
    {
      title: 'State',
      panels: [
        one({
          title: 'Engines down',
          description: 'Engines that at least one process cannot reach.',
          unit: 'short',
          kind: 'stat',
          expr: 'count(min by (engine) (manc_engine_up) == 0) or vector(0)',
          legend: 'down',
        }),
        one({
          title: 'Processes',
          description: 'Running processes.',
          unit: 'short',
          kind: 'stat',
          expr: 'count(manc_build_info)',
          legend: 'processes',
        }),
        one({
          title: 'Failed requests',
          description: 'Share of requests with status 5xx in the last 5 minutes.',
          unit: 'percentunit',
          kind: 'stat',
          expr: failedRequests,
          legend: '5xx',
        }),
        one({
          title: 'Jobs to do',
          description: 'Jobs that are queued or running.',
          unit: 'short',
          kind: 'stat',
          expr: 'max(sum by (instance) (manc_jobs)) or vector(0)',
          legend: 'jobs',
        }),
      ],
    },
    { title: 'Work', panels: [requestRate, samples, lagPanel] },
    {
      title: 'Processes',
      panels: [
        one({
          title: 'CPU',
          description: 'Cores in use. A process uses at most a little more than one.',
          unit: 'short',
          expr: ofManc('rate(process_cpu_seconds_total[5m])'),
          legend: '{{instance}} {{roles}}',
        }),
        one({
          title: 'Memory',
          description: 'Resident memory.',
          unit: 'bytes',
          expr: ofManc('process_resident_memory_bytes'),
          legend: '{{instance}} {{roles}}',
        }),
        one({
          title: 'Event loop lag',
          description:
            'p99 of the delay of the event loop. Above 0.2 s the process is overloaded: add a replica.',
          unit: 's',
          expr: ofManc('nodejs_eventloop_lag_p99_seconds'),
          legend: '{{instance}} {{roles}}',
        }),
      ],
    },
    {
      title: 'Versions and engines',
      panels: [
        one({
          title: 'Versions',
          description: 'Processes of each version. More than one version only during an upgrade.',
          unit: 'short',
          expr: 'count by (version) (manc_build_info)',
          legend: '{{version}}',
        }),
        one({
          title: 'Engines reached',
          description: '1 where every process reaches the engine.',
          unit: 'short',
          expr: 'min by (engine) (manc_engine_up)',
          legend: '{{engine}}',
        }),
      ],
    },
  ],
}
