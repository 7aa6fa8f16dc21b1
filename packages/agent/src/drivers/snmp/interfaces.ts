import type { SnmpSession } from './session.ts'

/** IF-MIB [RFC 2863]: ifName, then ifDescr for agents that have no ifXTable. */
const nameColumns = ['1.3.6.1.2.1.31.1.1.1.1', '1.3.6.1.2.1.2.2.1.2']

export async function interfaceNames(session: SnmpSession): Promise<string[]> {
  const names: string[] = []
  for (const column of nameColumns) {
    const values = await session.walk(column)
    names.push(...values.map(({ value }) => String(value)))
    if (names.length > 0) break
  }
  return names
}

/** The index of an interface with this name. */
export async function interfaceIndex(session: SnmpSession, name: string): Promise<number> {
  const seen = new Set<string>()
  for (const column of nameColumns)
    for (const { oid, value } of await session.walk(column)) {
      if (value === name) return Number(oid.slice(oid.lastIndexOf('.') + 1))
      seen.add(String(value))
    }
  const names = [...seen].slice(0, 50).join(', ')
  throw new Error(`The device has no interface "${name}". Write one of: ${names}`)
}
