import type { Alarm } from '@manc/sdk'
import { Progress, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useManc } from '../app/session.tsx'
import { formatCount, formatNumber } from '../format/number.ts'
import { announce } from '../ui/announce.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'

interface AcknowledgeDialogProps {
  alarms: readonly Alarm[]
  /** Called also if only some of them could be acknowledged. */
  onDone: () => void
  onClose: () => void
}

/** Alarms of one request, at most. */
const perRequest = 500

/** Also changes the comment of one alarm that is acknowledged already. */
export function AcknowledgeDialog({ alarms, onDone, onClose }: AcknowledgeDialogProps) {
  const manc = useManc()
  // The list behind this dialog changes while alarms are acknowledged.
  const [chosen] = useState(alarms)
  const [left, setLeft] = useState(alarms)
  const [first] = chosen
  const isChange = chosen.length === 1 && (first?.acknowledged_by ?? null) !== null
  const stored = (isChange && first?.comment) || ''
  const [comment, setComment] = useState(stored)
  const acknowledge = async () => {
    // Without a comment the controller keeps the stored one.
    const body = comment.trim() === stored ? {} : { comment: comment.trim() }
    // Those that were cleared in the meantime: there is nothing left to acknowledge.
    let cleared = 0
    try {
      for (let open = left; open.length > 0; open = open.slice(perRequest)) {
        const ids = open.slice(0, perRequest).map(({ id }) => id)
        const done = await manc.alarms.acknowledgeAll({ ids, ...body })
        cleared += done.not_acknowledged.length
        setLeft(open.slice(perRequest))
      }
    } finally {
      onDone()
    }
    const note = cleared > 0 ? ` ${formatCount(cleared, 'alarm')} had been cleared.` : ''
    if (chosen.length > 1 || note)
      announce(
        `${formatCount(chosen.length - cleared, 'alarm')} ${isChange ? 'changed' : 'acknowledged'}.${note}`,
      )
    onClose()
  }
  return (
    <FormDialog
      title={
        isChange
          ? 'Change comment'
          : chosen.length === 1
            ? 'Acknowledge alarm'
            : `Acknowledge ${formatCount(chosen.length, 'alarm')}`
      }
      submitLabel={isChange ? 'Save comment' : 'Acknowledge'}
      onSubmit={acknowledge}
      onClose={onClose}
    >
      {chosen.length === 1 ? (
        <Text size="sm">
          {first?.rule}: {first?.ap_id}
        </Text>
      ) : (
        left.length < chosen.length && (
          <div role="status">
            <Progress value={100 * (1 - left.length / chosen.length)} aria-label="Acknowledged" mb={4} />
            <Text size="xs" c="dimmed" className="figures">
              {formatNumber(chosen.length - left.length)} of {formatNumber(chosen.length)}
            </Text>
          </div>
        )
      )}
      <Textarea
        label="Comment"
        description="For other operators: the cause, or what you do about it."
        autosize
        minRows={2}
        maxLength={1000}
        data-autofocus
        value={comment}
        onChange={({ currentTarget }) => setComment(currentTarget.value)}
      />
    </FormDialog>
  )
}
