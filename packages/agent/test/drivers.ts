import type { Driver, DriverContext } from '../src/drivers/driver.ts'
import { driverKinds } from '../src/drivers/index.ts'
import { Neighbours } from '../src/drivers/neighbours.ts'
import { UcentralDevices } from '../src/drivers/ucentral/devices.ts'
import { checkSettings } from '../src/settings/settings.ts'

/** A driver as the settings make it, without a controller. */
export async function openDriver(
  device: Record<string, unknown>,
  context: Partial<DriverContext> = {},
  more: Record<string, unknown> = {},
): Promise<Driver> {
  const { apId = 'ap-1' } = context
  const [accessPoint] = checkSettings({ url: 'http://localhost', ap_id: apId, device, ...more }).accessPoints
  const options = accessPoint?.device ?? { driver: '' }
  const kind = driverKinds.get(options.driver)
  if (!kind) throw new Error(`There is no driver ${options.driver}.`)
  return kind.open(options, {
    apId,
    log: () => {},
    technology: 'WiFi',
    neighbours: new Neighbours(),
    ucentral: new UcentralDevices(),
    onReadable: () => {},
    ...context,
  })
}

export const inTime = () => AbortSignal.timeout(60_000)
