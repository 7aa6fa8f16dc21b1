import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { findPrograms, requireClusterPrograms } from './programs.ts'

// Those of this machine are looked for.
beforeEach(() => void vi.stubEnv('MANC_ENGINES_ROOT', ''))
afterEach(() => vi.unstubAllEnvs())

test('every engine that is missing is named at once, with what to install', () => {
  vi.stubEnv('MANC_POSTGRES_BIN', '/nowhere/postgres')
  vi.stubEnv('MANC_VICTORIA_BIN', '/nowhere')
  expect(() => findPrograms()).toThrow(
    expect.objectContaining({
      message: [
        'Engines are missing:',
        '  PostgreSQL 15 or newer: not found where MANC_POSTGRES_BIN points: /nowhere/postgres',
        '  VictoriaMetrics 1.79 or newer: not found where MANC_VICTORIA_BIN points: /nowhere',
        'Debian, Ubuntu: apt-get install -y --no-install-recommends postgresql victoria-metrics',
        'Elsewhere: install them and put them on PATH, or name their folders in MANC_POSTGRES_BIN, MANC_VICTORIA_BIN.',
      ].join('\n'),
    }),
  )
})

test('a program may be named by its folder', () => {
  const { postgresDir } = findPrograms()
  vi.stubEnv('MANC_POSTGRES_BIN', postgresDir)
  expect(findPrograms().postgresDir).toBe(postgresDir)
})

test('a cluster without its programs names the command that installs them', () => {
  const programs = { ...findPrograms(), rabbitmqMajor: 4, patroni: '/usr/bin/patroni', etcd: '/usr/bin/etcd' }
  expect(() => requireClusterPrograms(programs)).not.toThrow()
  for (const missing of [{ patroni: undefined }, { etcd: undefined }, { rabbitmqMajor: 3 }])
    expect(() => requireClusterPrograms({ ...programs, ...missing })).toThrow('npm run engines -- install')
})
