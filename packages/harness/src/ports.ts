import { pickPorts } from '../../../tools/engines/ports.ts'

/** A port that nobody listens on, and that nobody is given for a connection of their own. */
export async function closedPort(): Promise<number> {
  const { internal: port } = await pickPorts(['internal'])
  return port
}
