import { ConnectedAgent, type ConnectOptions } from './connected-agent.ts'
import { type Journal, Keep } from './keep.ts'

const keptBytes = 16 * 1_048_576

/**
 * An agent that keeps what it records until the controller has it. It does not wait for a connection: it gets one as soon
 * as there is one, and again after every outage.
 */
export async function connectAgent(options: ConnectOptions): Promise<ConnectedAgent> {
  for (const url of [options.url, options.mqttUrl ?? options.url])
    if (!URL.canParse(url))
      throw new TypeError(`${url} is no address. Write one like https://manc.example.org.`)
  const { bytes = keptBytes, folder } = options.keep ?? {}
  let onTrouble = (_error: unknown) => {}
  const journal =
    folder === undefined ? undefined : await openJournal(folder, bytes, (error) => onTrouble(error))
  const agent = new ConnectedAgent(options, new Keep(bytes, journal))
  onTrouble = (error) => agent.diskFailed(error)
  agent.start()
  return agent
}

/** Only here is a file system needed. */
async function openJournal(
  folder: string,
  bytes: number,
  onTrouble: (error: unknown) => void,
): Promise<Journal> {
  const { JournalOnDisk } = await import('./journal-on-disk.ts')
  try {
    return new JournalOnDisk(folder, bytes, onTrouble)
  } catch (error) {
    throw new Error(`Samples cannot be kept in ${folder}. Name a folder that this program may write to.`, {
      cause: error,
    })
  }
}
