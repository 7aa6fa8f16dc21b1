export const densities = ['compact', 'comfortable'] as const
/** How high the rows of a table are. */
export type Density = (typeof densities)[number]

/** In pixels. */
export const rowHeights: Record<Density, number> = { compact: 30, comfortable: 44 }
