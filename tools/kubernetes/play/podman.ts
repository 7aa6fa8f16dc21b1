import { spawnSync } from 'node:child_process'

/** Runs podman and returns what it prints. */
export function podman(args: readonly string[], input?: string): string {
  const { status, stdout, stderr, error } = spawnSync('podman', args, { encoding: 'utf8', input })
  if (error) throw new Error(`podman cannot be run: ${error.message}. Install the package podman.`)
  if (status !== 0) throw new Error(`podman ${args.join(' ')} ended with ${status}:\n${stderr}`)
  return stdout.trim()
}

export function requireImage(name: string): void {
  if (spawnSync('podman', ['image', 'exists', name]).status !== 0)
    throw new Error(`There is no image ${name}. npm run test:deploy builds all images that this needs.`)
}
