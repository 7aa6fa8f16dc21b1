import { ConnectedAgent, type ConnectOptions } from './connected-agent.ts'
import { type Journal, SampleBuffer } from './sample-buffer.ts'

const defaultBufferBytes = 16 * 1_048_576

/**
 * An agent that buffers its samples until the controller has stored them. Does not wait for a connection: the agent
 * connects when it can, and again after every outage.
 */
export async function connectAgent(options: ConnectOptions): Promise<ConnectedAgent> {
  for (const url of [options.url, options.mqttUrl ?? options.url])
    if (!URL.canParse(url))
      throw new TypeError(`${url} is not a URL. Write one like https://manc.example.org.`)
  const { bytes = defaultBufferBytes, folder } = options.keep ?? {}
  let onError = (_error: unknown) => {}
  const journal =
    folder === undefined ? undefined : await openJournal(folder, bytes, (error) => onError(error))
  const agent = new ConnectedAgent(options, new SampleBuffer(bytes, journal))
  onError = (error) => agent.diskFailed(error)
  agent.start()
  return agent
}

/** Loaded on demand: without a folder no file system is needed. */
async function openJournal(
  folder: string,
  bytes: number,
  onError: (error: unknown) => void,
): Promise<Journal> {
  const { DiskJournal } = await import('./disk-journal.ts')
  try {
    return new DiskJournal(folder, bytes, onError)
  } catch (error) {
    throw new Error(`Samples cannot be kept in ${folder}. Name a folder that this program may write to.`, {
      cause: error,
    })
  }
}
