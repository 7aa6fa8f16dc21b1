import { makePrivateDir } from './accounts.ts'
import { type Engine, launchCommand } from './engine.ts'

export const victoria: Engine = {
  name: 'victoria',
  ports: ['victoria'],
  stopSignal: 'SIGTERM',
  dropSignal: 'SIGKILL',

  async prepare({ dir, account }) {
    makePrivateDir(dir, account)
  },

  launch: (context) =>
    launchCommand(context, {
      file: context.programs.victoria,
      args: [
        `-storageDataPath=${context.dir}`,
        `-httpListenAddr=127.0.0.1:${context.state.ports.victoria}`,
        '-retentionPeriod=13',
        // A batch that is written again after a restart reads back once.
        '-dedup.minScrapeInterval=1ms',
        '-search.latencyOffset=0s',
        // Metric names are the field names alone; the measurement repeats the label `ap_id`.
        '-influxSkipMeasurement',
      ],
    }),

  async isReady({ state }) {
    const url = `http://127.0.0.1:${state.ports.victoria}/health`
    return (await fetch(url, { signal: AbortSignal.timeout(5_000) })).ok
  },
}
