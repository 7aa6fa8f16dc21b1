import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/**
 * Settings for machines without systemd, and with limits on the limits of a process. crun fails with hybrid cgroups, runc
 * does not.
 */
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
