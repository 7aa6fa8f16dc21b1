import { mainProcess } from './processes.ts'
import { ENGINE_NAMES, markOf, NODE_NAMES, type SetState } from './state.ts'
import { type Unit, unitsOf } from './units.ts'
import { urlsOf, withoutPassword } from './urls.ts'

export const HELP = `Private PostgreSQL, RabbitMQ and VictoriaMetrics (with vmalert) on free ports of 127.0.0.1.

Usage: npm run engines -- COMMAND [--set NAME]

  up                start a set, or what is not running of it
                    (--cluster: a new set has several nodes of each engine; needs the engines of Debian 13)
  down              stop a set and remove its data (--all: every set)
  status            every set, its engines, processes and addresses (--secrets: with passwords)
  stop ENGINE       stop one engine cleanly
  start ENGINE      start it again, on the same ports with the same data
  kill ENGINE       SIGKILL to all its processes
  install DIR       make a root file system of Debian 13 with current engines, for MANC_ENGINES_ROOT
  pause ENGINE      SIGSTOP to all its processes
  resume ENGINE     SIGCONT to all its processes

  ENGINE is ${ENGINE_NAMES.join(', ')} or vmalert; in a cluster vmalert or one of its nodes:
  ${NODE_NAMES.join(', ')}.
  The default set is "default".
  MANC_POSTGRES_BIN, MANC_RABBITMQ_BIN, MANC_VICTORIA_BIN name programs that are not on the PATH;
  MANC_ENGINES_ROOT names a root file system whose engines are started instead (needs root; see "install");
  MANC_ENGINES_DIR names a folder for the sets instead of .engines.

Examples:
  npm run engines -- up
  npm run engines -- up --set second
  npm run engines -- up --cluster --set three
  npm run engines -- kill rabbitmq
  npm run engines -- start rabbitmq
  npm run engines -- down --all`

function portsText({ kind, state: { ports } }: Unit): string {
  switch (kind) {
    case 'postgres':
      return String(ports.postgres)
    case 'patroni':
      return `${ports.postgres}, patroni ${ports.patroni}`
    case 'etcd':
      return `${ports.etcd}, peers ${ports.etcdPeer}`
    case 'victoria':
      return String(ports.victoria)
    case 'vmalert':
      return String(ports.vmalert)
    case 'rabbitmq':
      return `amqp ${ports.amqp}, mqtt ${ports.mqtt}, management ${ports.management}, prometheus ${ports.prometheus}`
  }
}

function urlOf({ kind, state }: Unit): string {
  const { postgres, rabbitmqManagement: rabbitmq, victoria, vmalert = '' } = urlsOf(state)
  const etcd = `http://127.0.0.1:${state.ports.etcd}`
  return { postgres, patroni: postgres, rabbitmq, victoria, vmalert, etcd }[kind]
}

/** A row for each engine: set, engine, state, process id, ports, address. */
function rowsOf(set: SetState, secrets: boolean): string[][] {
  return unitsOf(set).map((unit) => {
    const main = mainProcess(markOf(unit.state), unit.kind)
    const running = main?.paused ? 'paused' : 'running'
    const url = secrets ? urlOf(unit) : withoutPassword(urlOf(unit))
    return [set.name, unit.name, main ? running : 'stopped', String(main?.pid ?? '-'), portsText(unit), url]
  })
}

export function statusTable(states: readonly SetState[], secrets: boolean): string {
  const head = ['SET', 'ENGINE', 'STATE', 'PID', 'PORTS', 'URL']
  const rows = [head, ...states.flatMap((state) => rowsOf(state, secrets))]
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
