import path from 'node:path'
import { versionOf } from '../release/versions.ts'
import { output, run } from './run.ts'

const root = path.join(import.meta.dirname, '../..')
const folder = path.join(root, 'deploy/images')

const imageNames = ['server', 'emulator', 'agent'] as const

interface ImageOptions {
  /** Image with Node and npm, for building. */
  node?: string | undefined
  /** Image that the images are based on. */
  base?: string | undefined
  /** Registry and path of the names. */
  prefix?: string | undefined
  tag?: string | undefined
  /** `podman` or `docker`. */
  tool?: string | undefined
}

/** Builds all images. They have one Containerfile, so common stages are built once. */
export async function buildImages(options: ImageOptions): Promise<{ name: string; bytes: number }[]> {
  const { prefix = 'localhost', tag = versionOf(root), tool = 'podman' } = options
  const revision = await output('git', ['rev-parse', 'HEAD'], root).catch(() => 'unknown')
  const buildArgs = {
    NODE_IMAGE: options.node,
    BASE_IMAGE: options.base,
    VERSION: tag,
    REVISION: revision,
  }
  const common = [
    'build',
    '-f',
    path.join(folder, 'Containerfile'),
    // Docker finds the file by its name. Images in the OCI format have no health check.
    ...(tool === 'podman'
      ? ['--format', 'docker', '--ignorefile', path.join(folder, 'Containerfile.dockerignore')]
      : []),
    // For package mirrors that only the host can reach.
    '--network=host',
    ...Object.entries(buildArgs).flatMap(([name, value]) =>
      value === undefined ? [] : ['--build-arg', `${name}=${value}`],
    ),
  ]
  const built = []
  for (const target of imageNames) {
    const name = `${prefix}/manc-${target}:${tag}`
    await run(tool, [...common, '--target', target, '-t', name, root])
    built.push({ name, bytes: await imageBytes(name, tool) })
  }
  return built
}

const imageBytes = async (name: string, tool = 'podman'): Promise<number> =>
  Number(await output(tool, ['image', 'inspect', '--format', '{{.Size}}', name]))
