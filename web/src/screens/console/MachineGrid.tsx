import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState } from 'react'
import type { Machine } from '@trainyard/contract/calls/machine.ts'
import type { Command } from './commands.ts'
import { MachineCard } from './MachineCard.tsx'
import styles from './MachineGrid.module.css'
import type { Selected } from './selecting.ts'

const CARD_WIDTH_MIN = 304
const GAP = 16
const ROW_HEIGHT = 338

interface MachineGridProps {
  machines: readonly Machine[]
  selected: Selected
  showLearner: boolean
  toggle: (id: string) => void
  act: (command: Command, on: readonly Machine[]) => void
  /** The sentence when there are none. */
  empty: string
}

/** The cards, as many in a row as fit; only the rows in sight are drawn, so thousands stay smooth. */
export function MachineGrid({ machines, selected, showLearner, toggle, act, empty }: MachineGridProps) {
  const grid = useRef<HTMLDivElement>(null)
  const [{ columns, top }, setPlace] = useState({ columns: 1, top: 0 })
  useLayoutEffect(() => {
    const element = grid.current!
    const measure = () => {
      const fit = Math.max(1, Math.floor((element.clientWidth + GAP) / (CARD_WIDTH_MIN + GAP)))
      const start = Math.round(element.getBoundingClientRect().top + scrollY)
      setPlace((now) => (now.columns === fit && now.top === start ? now : { columns: fit, top: start }))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  // oxlint-disable-next-line react/incompatible-library -- a warning for the React Compiler, which is not in use
  const rows = useWindowVirtualizer({
    count: Math.ceil(machines.length / columns),
    estimateSize: () => ROW_HEIGHT,
    gap: GAP,
    overscan: 3,
    scrollMargin: top,
  })

  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- rows stand between the list and its items
    <div ref={grid} className={styles.grid} role="list" aria-label="Instances" style={{ height: rows.getTotalSize() }}>
      {machines.length === 0 && <p className="dim">{empty}</p>}
      {rows.getVirtualItems().map((row) => (
        <div
          key={row.key}
          ref={rows.measureElement}
          data-index={row.index}
          className={styles.row}
          style={{
            gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
            transform: `translateY(${row.start - top}px)`,
          }}
        >
          {machines.slice(row.index * columns, (row.index + 1) * columns).map((machine, place) => (
            <MachineCard
              key={machine._id}
              machine={machine}
              isSelected={selected.has(machine._id)}
              showLearner={showLearner}
              place={row.index * columns + place + 1}
              of={machines.length}
              toggle={toggle}
              act={act}
            />
          ))}
        </div>
      ))}
    </div>
  )
}
