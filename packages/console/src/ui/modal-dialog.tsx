import { Modal, type ModalProps } from '@mantine/core'
import { useLayoutEffect, useRef } from 'react'

interface ModalDialogProps extends Omit<ModalProps, 'opened' | 'onClose'> {
  onClose: () => void
  /** A request is in progress: the dialog cannot be closed until its outcome is known. */
  isBusy?: boolean
}

/** A modal dialog that is open while it is mounted. Returns the focus to the element that opened it. */
export function ModalDialog({ onClose, isBusy = false, children, ...rest }: ModalDialogProps) {
  const content = useRef<HTMLDivElement>(null)
  useReturnFocus()
  const close = () => {
    // Every open dialog receives Escape; only the topmost one closes.
    const isOnTop = [...document.querySelectorAll('[role=dialog]')].at(-1)?.contains(content.current)
    if (isOnTop && !isBusy) onClose()
  }
  return (
    <Modal opened onClose={close} padding="lg" {...rest}>
      <div ref={content}>{children}</div>
    </Modal>
  )
}

/** Mantine returns the focus when a dialog closes, but not when it unmounts. */
function useReturnFocus(): void {
  useLayoutEffect(() => {
    const opener = findOpener()
    return () => {
      // The opener may have been removed.
      const target = opener?.isConnected ? opener : document.getElementById('content')
      target?.focus({ preventScroll: true })
    }
  }, [])
}

/** The focused element or, inside a menu that is about to close, the button that opened the menu. */
function findOpener(): HTMLElement | null {
  const active = document.activeElement as HTMLElement | null
  const button = active?.closest('[role=menu]')?.getAttribute('aria-labelledby')
  return button ? document.getElementById(button) : active
}
