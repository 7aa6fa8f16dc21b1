import type { FleetView } from './fleet-list.store.ts'

/** The same for all callers who see the same agents: only those who own emulated agents have one of their own. */
export const sharedView = ({ patterns, emulated, owner }: FleetView, ownsEmulated: boolean): FleetView =>
  emulated === 'own' && ownsEmulated
    ? { patterns, emulated, owner }
    : { patterns, emulated: emulated === 'all' ? 'all' : 'none', owner: '' }
