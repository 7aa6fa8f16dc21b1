/** `npm run build`: builds the console. `npm run build -- images` and `-- openwrt`: build the container images and the package for OpenWrt. */
import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'
import manifest from '../package.json' with { type: 'json' }
import { buildImages } from './images/build-images.ts'
import { buildOpenWrtPackage } from './openwrt/build-package.ts'

const help = `npm run build                  builds the console
npm run build -- images        builds the images manc-server, manc-emulator and manc-agent with podman
npm run build -- openwrt       builds the shell agent as a package for opkg, in dist/openwrt

  --node IMAGE      image with Node 24 and npm, used for building (docker.io/library/node:24-trixie-slim)
  --base IMAGE      Debian image that the images are based on (docker.io/library/debian:trixie-slim)
  --prefix PREFIX   registry and path of the names (localhost)
  --tag TAG         the version of package.json
  --tool PROGRAM    podman, or docker`

process.exitCode = await main()

async function main(): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        help: { type: 'boolean' },
        node: { type: 'string' },
        base: { type: 'string' },
        prefix: { type: 'string' },
        tag: { type: 'string' },
        tool: { type: 'string' },
      },
    })
    if (values.help) {
      console.log(help)
      return 0
    }
    if (positionals.length === 0) return await buildConsole()
    if (positionals.join(' ') === 'openwrt') {
      console.log(buildOpenWrtPackage('dist/openwrt', manifest.version))
      return 0
    }
    if (positionals.join(' ') !== 'images') throw new Error(`Unknown: ${positionals.join(' ')}\n\n${help}`)
    for (const { name, bytes } of await buildImages(values))
      console.log(`${name}  ${(bytes / 1e6).toFixed(0)} MB`)
    return 0
  } catch (error) {
    console.error((error as Error).message)
    return 1
  }
}

function buildConsole(): Promise<number> {
  const child = spawn('npm', ['run', '-s', 'build', '-w', '@manc/console'], { stdio: 'inherit' })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}
