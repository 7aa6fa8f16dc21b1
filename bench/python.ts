import { admin } from '@manc/harness'
import { run } from '../clients/python/suite/run.ts'
import { folder, pythonWith } from '../clients/python/suite/venv.ts'
import type { Bench } from './bench.ts'
import { createBenchEnvironment } from './environment.ts'

const agents = 5000

/** The Python client and bare httpx read the same list, in one process. */
export const python: Bench = async ({ quick, log }) => {
  const interpreter = await pythonWith('requirements.txt')
  const environment = await createBenchEnvironment(log)
  try {
    await environment.sql(
      `insert into agents (id, ap_id, password_hash, configuration)
       select gen_random_uuid(), 'ap-' || n, 'x', '{"technology": "WiFi"}' from generate_series(1, ${agents}) n`,
    )
    await environment.sql(`insert into fleet (ap_id, technology) select ap_id, 'WiFi' from agents`)
    const { status, output } = await run(interpreter, ['bench.py', ...(quick ? ['--quick'] : [])], {
      cwd: folder,
      env: {
        PYTHONPATH: 'src',
        MANC_TEST_URL: environment.server.url,
        MANC_TEST_USERNAME: admin.username,
        MANC_TEST_PASSWORD: admin.password,
      },
    })
    if (status !== 0) throw new Error(`bench.py ended with ${status}`)
    return JSON.parse(output.trimEnd().split('\n').at(-1) ?? '') as Awaited<ReturnType<Bench>>
  } finally {
    await environment.end()
  }
}
