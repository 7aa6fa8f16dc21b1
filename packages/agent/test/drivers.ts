import type { Driver } from '../src/drivers/driver.ts'
import { driverKinds } from '../src/drivers/index.ts'
import { Neighbours } from '../src/drivers/neighbours.ts'
import { checkSettings } from '../src/settings/settings.ts'

/** A driver as the settings make it, without a controller. */
export async function openDriver(
  device: Record<string, unknown>,
  { apId = 'ap-1', neighbours = new Neighbours() } = {},
): Promise<Driver> {
  const [accessPoint] = checkSettings({ url: 'http://localhost', ap_id: apId, device }).accessPoints
  const options = accessPoint?.device ?? { driver: '' }
  const kind = driverKinds.get(options.driver)
  if (!kind) throw new Error(`There is no driver ${options.driver}.`)
  return kind.open(options, { apId, log: () => {}, technology: 'WiFi', neighbours })
}

export const inTime = () => AbortSignal.timeout(20_000)
