import type { Box, EmulatedChoice, Technology } from '@manc/sdk'
import { formatArea } from './recipients.ts'

/** The fields of the form. */
export interface CommandForm {
  command: string
  technology: Technology | undefined
  areaText: string
  idText: string
  emulated: EmulatedChoice
}

export const emptyForm: CommandForm = {
  command: '',
  technology: undefined,
  areaText: '',
  idText: '',
  emulated: 'own',
}

/** The form for the request of an earlier command, to one access point or many. */
export function repeatedCommand(request: Record<string, unknown>): CommandForm {
  const {
    command,
    agent_id: apId,
    agents,
    technology,
    area,
    emulated,
  } = request as {
    command?: string
    agent_id?: string
    agents?: string[]
    technology?: Technology
    area?: Box
    emulated?: EmulatedChoice
  }
  const ids = agents ?? (apId === undefined ? [] : [apId])
  return {
    command: command ?? '',
    technology,
    areaText: area ? formatArea(area) : '',
    idText: ids.join('\n'),
    emulated: emulated ?? 'own',
  }
}
