import { count, limit, retryLater } from './kinds.ts'

/** Comparisons of policies in simulated worlds. */
export const experimentSettings = {
  MANC_EXPERIMENTS: limit(
    3,
    { owner: 'user or app', response: '409' },
    'Maximum number of experiments in progress of one user or app.',
  ),
  MANC_EXPERIMENTS_PER_HOUR: limit(
    30,
    { owner: 'user or app', response: retryLater },
    'Maximum number of experiments that one user or app starts within an hour.',
  ),
  MANC_EXPERIMENTS_KEPT: limit(
    100,
    { owner: 'user or app', response: 'its oldest what-if is deleted; without one 409' },
    'Maximum number of experiments that are stored of one user or app.',
  ),
  MANC_EXPERIMENT_RUNS_TOTAL: limit(
    2000,
    { owner: 'installation', response: retryLater },
    'Maximum number of runs of all experiments that wait or are executed.',
  ),
  MANC_EXPERIMENT_HOURS: count(24, 'Runs that no emulator has finished within these hours fail.'),
  MANC_EXPERIMENT_DAYS: count(90, 'Retention of experiments, in days.'),
}
