import { Modal, type ModalProps } from '@mantine/core'
import { useLayoutEffect, useRef } from 'react'

interface SheetProps extends Omit<ModalProps, 'opened' | 'onClose'> {
  onLeave: () => void
  /** Something is under way: one cannot leave before it is known how it went. */
  isBusy?: boolean
}

/** A dialog that is there while it is open. Leads back to what opened it. */
export function Sheet({ onLeave, isBusy = false, children, ...rest }: SheetProps) {
  const content = useRef<HTMLDivElement>(null)
  useFocusBack()
  const leave = () => {
    // Escape is heard by every open dialog, and meant for the one on top.
    const isOnTop = [...document.querySelectorAll('[role=dialog]')].at(-1)?.contains(content.current)
    if (isOnTop && !isBusy) onLeave()
  }
  return (
    <Modal opened onClose={leave} padding="lg" {...rest}>
      <div ref={content}>{children}</div>
    </Modal>
  )
}

/** Mantine gives the focus back when a dialog closes, not when it goes away as a whole. */
function useFocusBack(): void {
  useLayoutEffect(() => {
    const opener = openerNow()
    return () => {
      // What was removed cannot be gone back to.
      const target = opener?.isConnected ? opener : document.getElementById('content')
      target?.focus({ preventScroll: true })
    }
  }, [])
}

/** Of a menu that is about to close, the button that opened it. */
function openerNow(): HTMLElement | null {
  const active = document.activeElement as HTMLElement | null
  const button = active?.closest('[role=menu]')?.getAttribute('aria-labelledby')
  return button ? document.getElementById(button) : active
}
