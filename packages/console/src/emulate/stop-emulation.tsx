import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlayerStop } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useManc } from '../app/session.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'

/** Stops an emulation after a confirmation. It shows the progress until the emulation disappears from the list. */
export function StopEmulation({ jobNumber, name }: { jobNumber: string; name: string }) {
  const manc = useManc()
  const queryClient = useQueryClient()
  const [isConfirming, { open, close }] = useDisclosure()
  const [isStopping, setStopping] = useState(false)
  const stop = async () => {
    await manc.emulations.stop(jobNumber)
    setStopping(true)
    close()
    await Promise.all(
      [['jobs'], ['job', jobNumber], ['emulations'], ['fleet']].map((queryKey) =>
        queryClient.invalidateQueries({ queryKey }),
      ),
    )
  }
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPlayerStop size={14} />}
        loading={isStopping}
        onClick={open}
      >
        Stop emulation
      </Button>
      {isConfirming && (
        <ConfirmDialog
          title={`Stop ${name}?`}
          confirmLabel="Stop emulation"
          onConfirm={stop}
          onCancel={close}
        >
          The access points disconnect within seconds and are removed. Their measurements are kept.
        </ConfirmDialog>
      )}
    </>
  )
}
