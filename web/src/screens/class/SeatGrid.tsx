import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState } from 'react'
import type { Seat } from '@trainyard/contract/calls/classroom.ts'
import type { OfTraining } from '#src/navigation/selection.ts'
import styles from './Class.module.css'
import { SeatTile } from './SeatTile.tsx'

const TILE_WIDTH_MIN = 248
const GAP = 12
const ROW_HEIGHT = 216

interface SeatGridProps {
  of: OfTraining
  seats: readonly Seat[]
  /** The number by which each learner is called while names are hidden. */
  numbers: ReadonlyMap<string, number>
  now: number
  namesHidden: boolean
}

/** The tiles, as many in a row as fit; only the rows in sight are drawn, so four hundred stay as fluid as forty. */
export function SeatGrid({ of, seats, numbers, now, namesHidden }: SeatGridProps) {
  const grid = useRef<HTMLDivElement>(null)
  const [{ columns, top }, setPlace] = useState({ columns: 1, top: 0 })
  useLayoutEffect(() => {
    const element = grid.current!
    const measure = () => {
      const fit = Math.max(1, Math.floor((element.clientWidth + GAP) / (TILE_WIDTH_MIN + GAP)))
      const start = Math.round(element.getBoundingClientRect().top + scrollY)
      setPlace((before) => (before.columns === fit && before.top === start ? before : { columns: fit, top: start }))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  // oxlint-disable-next-line react/incompatible-library -- a warning for the React Compiler, which is not in use
  const rows = useWindowVirtualizer({
    count: Math.ceil(seats.length / columns),
    estimateSize: () => ROW_HEIGHT,
    gap: GAP,
    overscan: 2,
    scrollMargin: top,
  })

  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- rows stand between the list and its items
    <div ref={grid} className={styles.seats} role="list" aria-label="Learners" style={{ height: rows.getTotalSize() }}>
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
          {seats.slice(row.index * columns, (row.index + 1) * columns).map((seat, place) => (
            <SeatTile
              key={seat.machine._id}
              of={of}
              seat={seat}
              now={now}
              hiddenAs={namesHidden ? `Learner ${numbers.get(seat.machine._id)}` : null}
              place={row.index * columns + place + 1}
              count={seats.length}
            />
          ))}
        </div>
      ))}
    </div>
  )
}
