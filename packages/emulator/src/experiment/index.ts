export type { Figures } from './metrics.ts'
export { type NamedRun, runExperiment, runNamed } from './run.ts'
