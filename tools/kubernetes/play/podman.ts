import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

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

/** Without systemd: other limits and another runtime than podman's defaults. */
export function configurePodman(): void {
  if (process.env['CONTAINERS_CONF'] !== undefined || existsSync('/run/systemd/system')) return
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'manc-podman-')), 'containers.conf')
  writeFileSync(
    file,
    `[containers]
default_ulimits = ["nofile=16384:16384", "nproc=16384:16384"]
log_driver = "k8s-file"
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
[network]
network_backend = "netavark"
`,
  )
  process.env['CONTAINERS_CONF'] = file
}
