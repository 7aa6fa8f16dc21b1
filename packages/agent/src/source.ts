/** By metric name. Numbers become series; texts are shown as the agent's last-known attributes. */
export type Readings = Record<string, number | string>

/** Something that can be read on this machine. A plug-in is a module that exports one as `source`. */
export interface Source {
  /** For people, and for `sources` in the settings. */
  name: string
  /** Whether it is there. Asked once, at the start. */
  probe(): Promise<boolean>
  /** What it shows now. What throws is left out of the sample, and told once. */
  read(): Promise<Readings>
}
