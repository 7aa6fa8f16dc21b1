import { useState } from 'react'
import { ChartActions } from './chart-actions.tsx'
import { ChartDialog } from './chart-dialog.tsx'
import { ChartHeader, type ChartProps, Plot } from './chart-parts.tsx'

/** A chart with its values in words, which can be enlarged and exported. */
export function Chart(props: ChartProps) {
  const [isLarge, setLarge] = useState(false)
  return (
    <figure className="chart">
      <ChartHeader {...props}>
        <ChartActions chart={props} onEnlarge={() => setLarge(true)} />
      </ChartHeader>
      <Plot {...props} />
      {isLarge && <ChartDialog chart={props} onClose={() => setLarge(false)} />}
    </figure>
  )
}
