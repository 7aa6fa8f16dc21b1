/** The part of the library that session.ts uses. It has no types of its own. */
declare module 'net-snmp' {
  export interface Varbind {
    oid: string
    type: number
    /** A Buffer of OctetString and Counter64, a text of OID and IpAddress, otherwise a number. */
    value: unknown
  }

  interface Session {
    get(oids: string[], done: (error: Error | null, varbinds?: Varbind[]) => void): void
    set(
      varbinds: { oid: string; type: number; value: string | number }[],
      done: (error: Error | null, varbinds?: Varbind[]) => void,
    ): void
    /** The walk ends early if `feed` returns true. */
    subtree(
      oid: string,
      maxRepetitions: number,
      feed: (varbinds: Varbind[]) => boolean | undefined,
      done: (error?: Error | null) => void,
    ): void
    close(): void
    on(event: 'error', listener: (error: Error) => void): this
  }

  interface SessionOptions {
    port: number
    retries: number
    timeout: number
    transport: 'udp4' | 'udp6'
    version: number
    context?: string
  }

  interface User {
    name: string
    level: number
    authProtocol?: number
    authKey?: string
    privProtocol?: number
    privKey?: string
  }

  const snmp: {
    Version2c: number
    Version3: number
    ObjectType: Record<string, number>
    SecurityLevel: Record<'noAuthNoPriv' | 'authNoPriv' | 'authPriv', number>
    AuthProtocols: Record<string, number>
    PrivProtocols: Record<string, number>
    createSession(target: string, community: string, options: SessionOptions): Session
    createV3Session(target: string, user: User, options: SessionOptions): Session
    isVarbindError(varbind: Varbind): boolean
  }
  export default snmp
}
