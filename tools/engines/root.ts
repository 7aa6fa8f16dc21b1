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
root=$1 user=$2 dir=$3
shift 3
show() {
  mkdir -p "$root$1"
  mount --rbind "$1" "$root$1"
}
for each in /proc /sys /dev; do mount --rbind "$each" "$root$each"; done
mount -t tmpfs tmpfs "$root/tmp"
while [ "$1" != -- ]; do
  show "$1"
  shift
done
shift
# The folder of the engine can be a link to another disk.
show "$(readlink -f "$dir")"
exec chroot --userspec="$user" "$root" /usr/bin/env --chdir="$dir" "$@"`

interface RootPlace {
  /** Visible inside, at the same paths. */
  readonly folders: readonly string[]
  /** The working directory. */
  readonly dir: string
  readonly account: Account | undefined
}

/** The command that runs another one inside a root file system, such as that of a newer Debian. Needs root. */
export function insideRoot(
  root: string,
  { folders, dir, account }: RootPlace,
  { file, args, argv0 }: RootCommand,
): RootCommand {
  const user = `${account?.uid ?? 0}:${account?.gid ?? 0}`
  const named = argv0 === undefined ? [] : [`--argv0=${argv0}`]
  return {
    file: 'unshare',
    args: ['--mount', '--propagation', 'private', 'sh', '-c', script, 'sh', root, user, dir].concat(
      folders,
      '--',
      named,
      file,
      args,
    ),
  }
}
