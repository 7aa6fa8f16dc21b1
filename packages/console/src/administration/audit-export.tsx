import type { AuditAction, AuditRecord, Manc } from '@manc/sdk'
import { Button, Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { reportSessionEnd } from '../app/query-client.ts'
import { useManc } from '../app/session.tsx'
import { formatCount } from '../format/number.ts'
import { csvOf, jsonOf } from '../jobs/results.ts'
import { errorText } from '../ui/error-text.ts'
import { saveFile } from '../ui/save-file.ts'
import { auditSentence } from './audit-sentences.ts'

/** The newest entries: a browser holds the whole file in memory. `manc audit export` has no limit. */
const maxEntries = 100_000

export interface AuditRequest {
  actor?: string
  action?: AuditAction
  target?: string
  from?: Date
  to?: Date
}

/** Downloads all entries that match the filter, also those that are not shown. */
export function AuditExport({ request }: { request: () => AuditRequest }) {
  const manc = useManc()
  const [isBusy, setBusy] = useState(false)
  const save = async (format: 'csv' | 'json') => {
    setBusy(true)
    try {
      const { records, isCut } = await readAll(manc, request())
      saveFile(
        `audit-log.${format}`,
        await (format === 'csv' ? csvOf(records.map(rowOf), []) : jsonOf(records)),
      )
      if (isCut)
        notifications.show({
          title: 'The file has the newest entries only',
          message: `It has ${formatCount(maxEntries, 'entry', 'entries')}. Choose a shorter period for the others.`,
        })
    } catch (error) {
      reportSessionEnd(error)
      notifications.show({ color: 'red', title: 'Export failed', message: errorText(error) })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size="xs" variant="default" leftSection={<IconDownload size={14} />} loading={isBusy}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void save('csv')}>All matching entries as CSV</Menu.Item>
        <Menu.Item onClick={() => void save('json')}>All matching entries as JSON</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

async function readAll(
  manc: Manc,
  request: AuditRequest,
): Promise<{ records: AuditRecord[]; isCut: boolean }> {
  const records: AuditRecord[] = []
  for await (const record of manc.audit.export(request)) {
    if (records.length === maxEntries) return { records, isCut: true }
    records.push(record)
  }
  return { records, isCut: false }
}

/** Columns of the CSV file. */
const rowOf = (record: AuditRecord) => ({
  at: record.at,
  actor_kind: record.actor_kind,
  actor: record.actor,
  action: record.action,
  target: record.target,
  sentence: auditSentence(record),
  detail: record.detail,
  request_id: record.request_id,
})
