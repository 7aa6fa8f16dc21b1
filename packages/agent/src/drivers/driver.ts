import type { Technology } from '@manc/contract'
import type { AttachedClient } from '@manc/sdk/agent'
import type { Static, TObject } from 'typebox'
import type { Log } from '../log.ts'
import type { Neighbours } from './neighbours.ts'
import type { UcentralDevices } from './ucentral/devices.ts'

/** By name. Numbers are metrics; texts are shown as the agent's attributes. */
export type Readings = Record<string, number | string>

export interface Reading {
  readings: Readings
  /** All clients that are attached. Undefined: the device does not tell, and none are reported. */
  clients?: readonly AttachedClient[] | undefined
}

/** Commands that a device executes, by name, with what they take: `set_power <dBm>`. */
export type DeviceCommands = Readonly<Record<string, string>>

/** The connection to one device. It belongs to one access point. */
export interface Driver {
  /**
   * Reads the device once; connects where that is needed. It must end soon after the signal aborts: a driver that does not is
   * closed, and another one is opened for the next reading. A value that is not known is left out.
   */
  read(signal: AbortSignal): Promise<Reading>
  readonly commands: DeviceCommands
  /** What its map names and the last reading did not have. Printed by `manc-agent check`. */
  readonly missing?: readonly string[]
  /** The message of an error is sent as the result of the command. */
  execute?(name: string, args: readonly string[], signal: AbortSignal): Promise<object>
  /** Reports all clients each time one joins or leaves, until the signal aborts. Readings report them too. */
  watchClients?(report: (clients: readonly AttachedClient[]) => void, signal: AbortSignal): Promise<void>
  /** What could be named in its options, such as interfaces. Printed by `manc-agent check`. */
  discover?(signal: AbortSignal): Promise<readonly string[]>
  close(): void | Promise<void>
}

export interface DriverContext {
  apId: string
  log: Log
  technology: Technology
  /** Access points that clients can be steered to. */
  neighbours: Neighbours
  /** Access points that connect to this gateway. */
  ucentral: UcentralDevices
  /** To be called when a device that could not be read can be: the next reading need not wait. */
  onReadable: () => void
}

/** Options after the files that they name were read. A changed file is a changed option. */
export interface Resolved {
  options: Record<string, unknown>
  files: readonly string[]
  problems: readonly string[]
  /** Of access points whose configuration names none. */
  technology?: Technology
}

/** A kind of device. `device` of an access point has `driver`, its name, and the members of its schema. */
export interface DriverKind {
  readonly name: string
  readonly schema: TObject
  /** Of access points whose configuration names none. */
  readonly technology?: Technology
  /** Shown by `manc-agent check` beside the name of the access point; contains no secrets. */
  describe(options: Record<string, unknown>): string
  /** Checks what a schema cannot, and reads the files that the options name. */
  resolve?(options: Record<string, unknown>, path: string): Resolved
  /** Does not wait for the device. Throws `InvalidSettings` if the options cannot be used on this machine. */
  open(options: Record<string, unknown>, context: DriverContext): Promise<Driver>
}

/** With the types of the options from their schema: the settings have been checked against it. */
export function driverKind<S extends TObject>(kind: {
  name: string
  schema: S
  technology?: Technology
  describe: (options: Static<S>) => string
  resolve?: (options: Static<S>, path: string) => Resolved
  open: (options: Static<S>, context: DriverContext) => Driver | Promise<Driver>
}): DriverKind {
  const { name, schema, technology, resolve } = kind
  return {
    name,
    schema,
    ...(technology !== undefined && { technology }),
    describe: (options) => kind.describe(options as unknown as Static<S>),
    ...(resolve && {
      resolve: (options: Record<string, unknown>, path: string) =>
        resolve(options as unknown as Static<S>, path),
    }),
    open: async (options, context) => kind.open(options as unknown as Static<S>, context),
  }
}
