import Type from 'typebox'
import { limit, retryLater, seconds } from './kinds.ts'

/** Jobs and their mailboxes. */
export const jobSettings = {
  MANC_API_URL: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s]+$',
      description:
        'Where a subscriber posts results: the URL of an `api` process or of the load balancer in front of them. Not needed by a process that has both roles.',
    }),
  ),
  MANC_JOB_SECONDS: seconds(86_400, 'A job that runs longer than this fails.'),
  MANC_OPEN_JOBS: limit(
    2000,
    { owner: 'operator, admin or app', response: retryLater },
    'Maximum number of jobs of one operator, administrator or app that have not ended, or whose result is unread. Results of commands do not count after their end.',
  ),
  MANC_USER_OPEN_JOBS: limit(
    100,
    { owner: 'standard user or agent', response: retryLater },
    'Maximum number of jobs of one standard user or agent that have not ended, or whose result is unread. Results of commands do not count after their end.',
  ),
  MANC_JOBS_PER_HOUR: limit(
    50_000,
    { owner: 'operator, admin or app', response: retryLater },
    'Maximum number of jobs that one operator, administrator or app requests, per replica, also those that have ended. Commands have `MANC_COMMANDS_PER_HOUR` instead.',
  ),
  MANC_USER_JOBS_PER_HOUR: limit(
    3600,
    { owner: 'standard user or agent', response: retryLater },
    'Maximum number of jobs that one standard user or agent requests, per replica, also those that have ended.',
  ),
  MANC_MAILBOX_SECONDS: seconds(
    86_400,
    'Retention of the results of a job, from when each was posted. Jobs are kept twice as long.',
  ),
  MANC_MAILBOX_BYTES: limit(
    8_388_608,
    { owner: 'job', response: 'the job waits; posts get 429 with `Retry-After`' },
    'Maximum size of the undelivered results of one job; the job continues when they have been read.',
  ),
  MANC_UNREAD_BYTES: limit(
    671_088_640,
    { owner: 'operator, admin or app', response: 'jobs wait; posts get 429 with `Retry-After`' },
    'Maximum size of the undelivered results of all jobs of one operator, administrator or app; the jobs continue when results have been read.',
  ),
  MANC_USER_UNREAD_BYTES: limit(
    33_554_432,
    { owner: 'standard user or agent', response: 'jobs wait; posts get 429 with `Retry-After`' },
    'Maximum size of the undelivered results of all jobs of one standard user or agent; the jobs continue when results have been read.',
  ),
  MANC_KEPT_RESULTS: limit(
    200,
    { owner: 'caller', response: 'the oldest results are dropped; reading them says so', isCounted: false },
    'Maximum number of jobs of one caller whose delivered results are kept, to be read again. Results of single commands are kept besides.',
  ),
  MANC_KEPT_RESULTS_BYTES: limit(
    33_554_432,
    { owner: 'caller', response: 'the oldest results are dropped; reading them says so' },
    'Maximum size of the delivered results of one caller that are kept; not more than its undelivered results may have. While mailboxes use more than a quarter of `MANC_MAILBOXES_BYTES`, none are kept.',
  ),
  MANC_MAILBOXES_BYTES: limit(
    17_179_869_184,
    { owner: 'all callers', response: 'jobs wait; posts get 503' },
    'Maximum size of all mailboxes on the disk of the database. While they use more than a quarter of it, delivered results are not kept. While the undelivered results of all standard users and agents are more than half of it, their jobs wait until a client connects, and posts to the others of them get 429.',
  ),
  MANC_LARGE_BODIES: limit(
    2,
    { owner: 'all apps of one process', response: retryLater },
    'Maximum number of callbacks of apps with a body above `MANC_BODY_LIMIT_BYTES` that are processed at the same time; one of each app.',
  ),
}
