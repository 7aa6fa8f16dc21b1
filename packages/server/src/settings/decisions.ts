import { count, limit, retryLater, seconds } from './kinds.ts'

/** Decisions of apps and operators. */
export const decisionSettings = {
  MANC_DECISION_MEASURE_SECONDS: seconds(
    60,
    'Time after its commands for which the KPIs of a decision are measured.',
  ),
  MANC_DECISIONS_PER_HOUR: limit(
    1000,
    { owner: 'user or app', response: retryLater },
    'Maximum number of decisions of one user or app within an hour.',
  ),
  MANC_OPEN_PROPOSALS: limit(
    100,
    { owner: 'user or app', response: '409' },
    'Maximum number of proposals of one user or app that are neither confirmed nor rejected nor expired.',
  ),
  MANC_DECISIONS_KEPT: limit(
    20_000,
    { owner: 'user or app', response: 'its oldest decisions are deleted', isCounted: false },
    'Maximum number of decisions that are kept of one user or app.',
  ),
  MANC_DECISION_DAYS: count(90, 'Retention of decisions, in days.'),
}
