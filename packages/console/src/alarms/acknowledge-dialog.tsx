import type { Alarm } from '@manc/sdk'
import { Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useManc } from '../app/session.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'

interface AcknowledgeDialogProps {
  alarm: Alarm
  onDone: () => void
  onClose: () => void
}

export function AcknowledgeDialog({ alarm, onDone, onClose }: AcknowledgeDialogProps) {
  const manc = useManc()
  const [comment, setComment] = useState('')
  const acknowledge = async () => {
    await manc.alarms.acknowledge(alarm.id, comment.trim() === '' ? {} : { comment: comment.trim() })
    onDone()
    onClose()
  }
  return (
    <FormDialog title="Acknowledge alarm" submitLabel="Acknowledge" onSubmit={acknowledge} onClose={onClose}>
      <Text size="sm">
        {alarm.rule}: {alarm.ap_id}
      </Text>
      <Textarea
        label="Comment"
        description="For other operators: the cause, or what you do about it."
        autosize
        minRows={2}
        maxLength={1000}
        value={comment}
        onChange={({ currentTarget }) => setComment(currentTarget.value)}
      />
    </FormDialog>
  )
}
