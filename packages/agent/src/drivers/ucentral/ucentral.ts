import { type DriverKind, driverKind } from '../driver.ts'
import type { Json } from '../json.ts'
import { readConfigurations } from './configurations.ts'
import { UcentralDriver } from './driver.ts'
import { schema } from './schema.ts'

/** An access point with uCentral (OpenWiFi), which connects to this gateway. */
export const ucentral: DriverKind = driverKind({
  name: 'ucentral',
  schema,
  technology: 'WiFi',
  describe: ({ serial }) => serial,
  resolve(options, path) {
    const files = options.configurations ?? {}
    const { documents, problems } = readConfigurations(files, `${path}.configurations`)
    // A changed file is a changed option.
    return { options: { ...options, documents }, files: Object.values(files), problems }
  },
  open: (options, context) =>
    new UcentralDriver(options, (options as { documents?: Record<string, Json> }).documents ?? {}, context),
})
