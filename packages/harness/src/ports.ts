import { pickPorts } from '../../../tools/engines/ports.ts'

/** A port without a listener, outside of the range that the kernel gives to outgoing connections. */
export async function closedPort(): Promise<number> {
  const { internal: port } = await pickPorts(['internal'])
  return port
}
