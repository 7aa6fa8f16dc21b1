import Type from 'typebox'
import { pluginsMember, sourcesMember } from '../../settings/schema.ts'
import { driverKind } from '../driver.ts'
import { loadPlugins } from './plugins.ts'
import { Sensors } from './sensors.ts'
import { builtInSources } from './sources/index.ts'

/** This machine. The sources keep the counters of the last reading: there is one access point of this kind at most. */
export const linux = driverKind({
  name: 'linux',
  schema: Type.Object(
    {
      driver: Type.Literal('linux'),
      sources: Type.Optional(sourcesMember),
      plugins: Type.Optional(pluginsMember),
    },
    { additionalProperties: false },
  ),
  describe: () => 'this machine',
  async open({ sources, plugins = [] }, { log }) {
    const all = [...builtInSources, ...(await loadPlugins(plugins))]
    const sensors = await Sensors.probe(all, sources, log)
    return {
      commands: {},
      read: async () => ({ readings: await sensors.read(), clients: sensors.clients }),
      close: () => {},
    }
  },
})
