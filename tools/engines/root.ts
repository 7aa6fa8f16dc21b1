import type { Account } from './accounts.ts'

interface RootCommand {
  readonly file: string
  readonly args: readonly string[]
  readonly argv0?: string | undefined
}

/**
 * A mount namespace of its own: the mounts are not visible outside, and end with the engine. Each step replaces the
 * process by the next, so that process id, environment and open files stay the same.
 */
const script = `set -e
root=$1 data=$2 user=$3 dir=$4
shift 4
for each in /proc /sys /dev; do mount --rbind "$each" "$root$each"; done
mount -t tmpfs tmpfs "$root/tmp"
# The folder of the engine can be a link to another disk.
for each in "$data" "$(readlink -f "$dir")"; do
  mkdir -p "$root$each"
  mount --rbind "$each" "$root$each"
done
exec chroot --userspec="$user" "$root" /usr/bin/env --chdir="$dir" "$@"`

/** The command that runs another one inside a root file system, such as that of a newer Debian. Needs root. */
export function insideRoot(
  root: string,
  { dataDir, dir, account }: { dataDir: string; dir: string; account: Account | undefined },
  { file, args, argv0 }: RootCommand,
): RootCommand {
  const user = `${account?.uid ?? 0}:${account?.gid ?? 0}`
  const named = argv0 === undefined ? [] : [`--argv0=${argv0}`]
  return {
    file: 'unshare',
    args: ['--mount', '--propagation', 'private', 'sh', '-c', script, 'sh', root, dataDir, user, dir].concat(
      named,
      file,
      args,
    ),
  }
}
