import { setTimeout as sleep } from 'node:timers/promises'
import { driverKinds } from '../drivers/index.ts'
import { Neighbours } from '../drivers/neighbours.ts'
import { UcentralDevices } from '../drivers/ucentral/devices.ts'
import { UcentralListener } from '../drivers/ucentral/listener.ts'
import { Device, reasonOf, technologyOf } from '../gateway/device.ts'
import { Slots } from '../gateway/slots.ts'
import { type Log, log } from '../log.ts'
import { InvalidSettings } from '../settings/invalid-settings.ts'
import type { AccessPointSettings, Settings } from '../settings/settings.ts'
import { printable, readingTable } from './table.ts'

/** A rate needs two readings. */
const betweenMs = 1000
const atOnce = 16
/** The sources of this machine say which of them are available; a failed reading is printed below. */
const quiet: Log = (level, ...line) => (level === 'info' ? log(level, ...line) : undefined)

/** Reads each device and prints what would be sent. 1 if one cannot be read. */
export async function checkDevices(
  settings: Settings,
  only: string | undefined,
  signal: AbortSignal,
): Promise<number> {
  const chosen = settings.accessPoints.filter(({ apId }) => only === undefined || apId === only)
  if (chosen.length === 0)
    throw new InvalidSettings(
      `--only: there is no access point "${only ?? ''}". There are: ${settings.accessPoints.map(nameOf).join(', ')}`,
    )
  const slots = new Slots(atOnce)
  const ucentral = new UcentralDevices()
  const listener = new UcentralListener(ucentral, quiet)
  const results = chosen.map((each) => slots.run(() => checkOne(each, ucentral, signal)))
  if (chosen.some(({ device }) => device.driver === 'ucentral')) await listener.apply(settings.ucentral)
  let failed = 0
  // In the order of the file.
  for (const result of results) {
    const { isRead, text } = await result
    if (!isRead) failed += 1
    process.stdout.write(`${text}\n`)
  }
  await listener.close()
  if (chosen.length > 1)
    process.stdout.write(`${chosen.length - failed} of ${chosen.length} access points can be read.\n`)
  return failed > 0 ? 1 : 0
}

async function checkOne(
  settings: AccessPointSettings,
  ucentral: UcentralDevices,
  signal: AbortSignal,
): Promise<{ isRead: boolean; text: string }> {
  const { device: options, configuration } = settings
  const kind = driverKinds.get(options.driver)
  const heading = `${nameOf(settings)}  ${options.driver}  ${kind?.describe(options) ?? ''}`.trimEnd()
  let device: Device | undefined
  try {
    device = await Device.open(settings, {
      apId: nameOf(settings),
      neighbours: new Neighbours(),
      ucentral,
      log: quiet,
      onReadable: () => {},
    })
    await device.read(signal)
    await sleep(betweenMs, undefined, { signal })
    const { readings, clients } = await device.read(signal)
    const commands = ['report', ...Object.values(device.commands), ...Object.keys(settings.commands)]
    const { missing } = device
    const lines = [
      heading,
      ...readingTable(readings, technologyOf(configuration)).map((line) => `  ${line}`),
      ...(missing.length > 0 ? [`  Missing: ${printable(missing.join(', '))}`] : []),
      `  Clients: ${clients ? `${clients.length} would be reported` : 'the device does not list them'}`,
      `  Commands: ${commands.join(', ')}`,
    ]
    return { isRead: true, text: `${lines.join('\n')}\n` }
  } catch (error) {
    const found = await device?.discover(AbortSignal.timeout(settings.timeoutS * 1000)).catch(() => [])
    const more = found && found.length > 0 ? `\n  The device has: ${printable(found.join(', '))}` : ''
    return { isRead: false, text: `${heading}\n  FAILED: ${printable(reasonOf(error))}${more}\n` }
  } finally {
    device?.close()
  }
}

const nameOf = ({ apId }: AccessPointSettings) => apId ?? 'this machine'
