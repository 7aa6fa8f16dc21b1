import { limit, retryLater, seconds } from './kinds.ts'

/** Commands to agents. */
export const commandSettings = {
  MANC_COMMANDS_PER_HOUR: limit(
    50_000,
    { owner: 'user or app', response: retryLater },
    'Maximum number of commands of one user or app, per replica, and at most 10,000 of them at once. While the replica is busy, after a hundredth of them, or 500 if that is more, the next command waits for the rate. Each agent of a bulk command counts.',
  ),
  MANC_WAITING_COMMANDS: limit(
    20,
    {
      owner: 'user or app, for each agent',
      response: `${retryLater}; a command to many agents skips the agent`,
    },
    'Maximum number of commands of one user or app that wait for the same agent: it has not acknowledged them.',
  ),
  MANC_COMMAND_RESULT_BYTES: limit(
    65_536,
    {
      owner: 'command',
      response: 'the command keeps its state without the result; `detail` has the size and the limit',
    },
    'Maximum size of the result that an agent reports for a command, as JSON.',
  ),
  MANC_COMMAND_SECONDS: seconds(
    300,
    'A command that is not delivered to its agent within this time expires.',
  ),
  MANC_COMMAND_DELIVERY_SECONDS: seconds(
    10,
    'A command that its agent does not acknowledge within this time is sent again.',
  ),
  MANC_COMMAND_RESULT_SECONDS: seconds(120, 'A command without a result within this time times out.'),
  MANC_COMMAND_HOLD_SECONDS: seconds(
    10,
    'After an app has sent a command, commands of other apps with the same or a lower priority to that agent are refused for this time.',
  ),
}
