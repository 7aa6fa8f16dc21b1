import { useBlocker } from '@tanstack/react-router'
import { ConfirmDialog } from './confirm-dialog.tsx'

/** Asks before another page is opened or the page is reloaded, while there are changes. */
export function UnsavedChanges({ hasChanges }: { hasChanges: boolean }) {
  const blocker = useBlocker({
    // The address of the same page also changes, and a sign-out is intended.
    shouldBlockFn: ({ current, next }) =>
      hasChanges && next.pathname !== current.pathname && next.pathname !== '/sign-in',
    enableBeforeUnload: () => hasChanges,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <ConfirmDialog
      title="Leave without saving?"
      confirmLabel="Leave page"
      cancelLabel="Stay"
      onCancel={blocker.reset}
      onConfirm={async () => blocker.proceed()}
    >
      Your changes are lost.
    </ConfirmDialog>
  )
}
