import { admin, createEnvironment, startReplica } from '@manc/harness'
import { startMailInbox } from '@manc/harness/mail-inbox'
import { startSet } from '../../../../tools/engines/index.ts'
import { ConformanceEnvironment } from './environment.ts'

export interface Target {
  environment: ConformanceEnvironment
  /** Ends what was started here; on a server that was there before, only what was made is removed. */
  close(): Promise<void>
}

/** Engines, a mail sink and a server, all of them only for this run. */
export async function startTarget(): Promise<Target> {
  const endings: (() => Promise<void>)[] = []
  const close = async () => {
    for (const end of endings.toReversed()) await end()
  }
  try {
    const engines = await startSet({ ephemeral: true })
    endings.push(() => engines.down())
    const mail = await startMailInbox()
    endings.push(() => mail.stop())
    const path = await createEnvironment(engines.urls)
    const server = await startReplica({
      ...path.variables,
      MANC_ROLES: 'api,subscriber,ingester',
      MANC_SMTP_URL: mail.url,
    })
    endings.push(() => server.stop())
    const environment = await ConformanceEnvironment.open(
      server.url,
      { name: admin.username, secret: admin.password },
      mail,
    )
    return { environment, close }
  } catch (error) {
    await close()
    throw error
  }
}
