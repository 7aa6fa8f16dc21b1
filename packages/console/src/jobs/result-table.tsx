import { ActionIcon, Code, VisuallyHidden } from '@mantine/core'
import { IconBraces } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef, useState } from 'react'
import { cellOf, maxShownRows } from './results.ts'

const rowHeight = 32
const columnWidth = 160

/** A virtual table. Rows without common columns are shown as JSON, one per line. A row is shown in full on request. */
export function ResultTable({
  rows,
  columns,
}: {
  rows: readonly unknown[]
  columns: readonly string[] | undefined
}) {
  const viewport = useRef<HTMLDivElement>(null)
  const [selected, setSelected] = useState<unknown>()
  const count = Math.min(rows.length, maxShownRows)
  const lines = useVirtualizer({
    count,
    getScrollElement: () => viewport.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  })
  const names = columns ?? ['']
  const template = { gridTemplateColumns: `repeat(${names.length}, minmax(${columnWidth}px, 1fr)) 24px` }
  const minWidth = columns ? columns.length * (columnWidth + 12) + 48 : undefined
  return (
    <>
      <div
        ref={viewport}
        className="result figures"
        style={{ height: Math.min(480, (count + 1) * rowHeight + 4) }}
        role="table"
        aria-label="Result"
        aria-rowcount={count + 1}
        tabIndex={0}
      >
        {columns && (
          <div role="rowgroup" className="result-head" style={{ minWidth }}>
            <div role="row" style={template}>
              {names.map((name) => (
                <span key={name} role="columnheader">
                  {name}
                </span>
              ))}
              <span role="columnheader">
                <VisuallyHidden>Whole row</VisuallyHidden>
              </span>
            </div>
          </div>
        )}
        <div role="rowgroup" style={{ height: lines.getTotalSize(), position: 'relative', minWidth }}>
          {lines.getVirtualItems().map(({ index, start, key }) => (
            <div
              key={key}
              role="row"
              aria-rowindex={index + 2}
              style={{
                ...template,
                position: 'absolute',
                insetInline: 0,
                transform: `translateY(${start}px)`,
              }}
            >
              {names.map((name) => {
                const text = columns ? cellOf(rows[index], name) : JSON.stringify(rows[index])
                return (
                  <span key={name} role="cell" title={text}>
                    {text}
                  </span>
                )
              })}
              <span role="cell">
                <ActionIcon
                  size="sm"
                  variant="subtle"
                  color="gray"
                  aria-label={`Show row ${index + 1} in full`}
                  onClick={() => setSelected(rows[index])}
                >
                  <IconBraces size={14} />
                </ActionIcon>
              </span>
            </div>
          ))}
        </div>
      </div>
      {selected !== undefined && (
        <Code block tabIndex={0} aria-label="Whole row" style={{ maxHeight: 320, overflow: 'auto' }}>
          {JSON.stringify(selected, null, 2)}
        </Code>
      )}
    </>
  )
}
