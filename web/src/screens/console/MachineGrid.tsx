import type { Machine } from '@trainyard/contract/calls/machine.ts'
import type { Command } from '#src/machine/commands.ts'
import { MachineCard } from './MachineCard.tsx'
import styles from './MachineGrid.module.css'
import type { Selected } from './machine-selection.ts'
import { useTileRows } from '#src/ui/useTileRows.ts'

const CARD_WIDTH_MIN = 304
const GAP = 16
const ROW_HEIGHT = 338

interface MachineGridProps {
  machines: readonly Machine[]
  selected: Selected
  showLearner: boolean
  toggle: (id: string) => void
  act: (command: Command, on: readonly Machine[]) => void
  empty: string
}

/** Grid of cards. Only visible rows are rendered, so that thousands scroll smoothly. */
export function MachineGrid({ machines, selected, showLearner, toggle, act, empty }: MachineGridProps) {
  const { grid, columns, top, rows } = useTileRows({
    count: machines.length,
    widthMin: CARD_WIDTH_MIN,
    gap: GAP,
    rowHeight: ROW_HEIGHT,
    overscan: 3,
  })

  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- rows are between the list and its items
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
