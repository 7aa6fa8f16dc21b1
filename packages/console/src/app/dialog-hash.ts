import { useLocation, useNavigate } from '@tanstack/react-router'

/** Fragments of addresses that open a dialog of their page. */
export const registerHash = 'register'
export const addUserHash = 'add'

/** Whether the address asks for a dialog, and removing that from the address. */
export function useDialogHash(hash: string): { isAsked: boolean; clear: () => void } {
  const navigate = useNavigate()
  const isAsked = useLocation({ select: (location) => location.hash === hash })
  const clear = () => {
    if (isAsked) void navigate({ to: '.', search: true, hash: '', replace: true, resetScroll: false })
  }
  return { isAsked, clear }
}
