import type { Seat } from '@trainyard/contract/calls/classroom.ts'
import type { TrainingQuery } from '#src/navigation/selection.ts'
import styles from './Class.module.css'
import { SeatTile } from './SeatTile.tsx'
import { useTileRows } from '#src/ui/useTileRows.ts'

const TILE_WIDTH_MIN = 248
const GAP = 12
const ROW_HEIGHT = 216

interface SeatGridProps {
  of: TrainingQuery
  seats: readonly Seat[]
  /** Number shown instead of a learner's name while names are hidden. */
  numbers: ReadonlyMap<string, number>
  now: number
  namesHidden: boolean
}

/** Grid of tiles. Only visible rows are rendered, so that large classes scroll smoothly. */
export function SeatGrid({ of, seats, numbers, now, namesHidden }: SeatGridProps) {
  const { grid, columns, top, rows } = useTileRows({
    count: seats.length,
    widthMin: TILE_WIDTH_MIN,
    gap: GAP,
    rowHeight: ROW_HEIGHT,
    overscan: 2,
  })

  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- rows are between the list and its items
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
