import { limit, retryLater, seconds } from './kinds.ts'

/** Emulated networks. */
export const emulationSettings = {
  MANC_EMULATED_AGENTS: limit(
    20_000,
    { owner: 'operator, admin or app', response: retryLater },
    'Maximum number of emulated agents of one operator, administrator or app. An agent counts until it is removed.',
  ),
  MANC_USER_EMULATED_AGENTS: limit(
    100,
    { owner: 'standard user', response: retryLater },
    'Maximum number of emulated agents of one standard user. An agent counts until it is removed.',
  ),
  MANC_USERS_EMULATED_AGENTS: limit(
    1000,
    { owner: 'all standard users', response: retryLater },
    'Maximum number of emulated agents of all standard users together.',
  ),
  MANC_EMULATED_AGENTS_TOTAL: limit(
    50_000,
    { owner: 'installation', response: retryLater },
    'Maximum number of emulated agents of all callers together.',
  ),
  MANC_EMULATION_SECONDS: limit(
    604_800,
    {
      owner: 'operator, admin or app',
      response: 'The emulation ends after this time; `detail` in the response.',
    },
    'Maximum duration of an emulation of an operator, administrator or app.',
  ),
  MANC_USER_EMULATION_SECONDS: limit(
    14_400,
    { owner: 'standard user', response: 'The emulation ends after this time; `detail` in the response.' },
    'Maximum duration of an emulation of a standard user.',
  ),
  MANC_EMULATIONS_PER_HOUR: limit(
    600,
    { owner: 'operator, admin or app', response: retryLater },
    'Maximum number of emulations that one operator, administrator or app starts in an hour.',
  ),
  MANC_USER_EMULATIONS_PER_HOUR: limit(
    20,
    { owner: 'standard user', response: retryLater },
    'Maximum number of emulations that one standard user starts in an hour.',
  ),
  MANC_EMULATOR_WAIT_SECONDS: seconds(
    600,
    'An emulation that no emulator has taken within this time fails. Its message in the broker expires as well.',
  ),
  MANC_EMULATED_KEEP_SECONDS: seconds(
    3600,
    'Emulated agents are deleted this long after the end of their emulation.',
  ),
}
