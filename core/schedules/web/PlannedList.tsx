import IconX from '@tabler/icons-react/icons/IconX'
import { useId } from 'react'
import { formatDate } from '@trainyard/platform/web/ui/time.ts'
import styles from './EventForm.module.css'
import { clockNote, endNote, keyOf, type Planned } from './planned.ts'
import { ACTION_LABELS } from './schedules.ts'
import { Signal } from './Signal.tsx'

interface PlannedListProps {
  planned: readonly Planned[]
  timeZone: string
  endsOn: string | null
  remove: (entry: Planned) => void
}

export function PlannedList({ planned, timeZone, endsOn, remove }: PlannedListProps) {
  const heading = useId()
  return (
    <div className="stack">
      <h3 id={heading}>Pending Schedules</h3>
      {planned.length === 0 ? (
        <p className={styles.hint}>
          Schedule Operation adds the chosen dates here; nothing happens before Schedule All.
        </p>
      ) : (
        <ul className={styles.list} aria-labelledby={heading}>
          {planned.map((entry) => {
            const label = `${ACTION_LABELS[entry.action]} on ${formatDate(entry.date)} at ${entry.time}`
            const notes = [clockNote(entry, timeZone), endNote(entry, endsOn)].filter((note) => note !== null)
            return (
              <li key={keyOf(entry)}>
                <Signal action={entry.action} status="Pending">
                  {ACTION_LABELS[entry.action]}
                </Signal>
                <span>
                  {formatDate(entry.date)}, {entry.time}
                </span>
                {notes.length > 0 && <span className={styles.note}>{notes.join(' ')}</span>}
                <button
                  type="button"
                  className="icon-button"
                  aria-label={`Remove ${label}`}
                  title="Remove"
                  onClick={() => remove(entry)}
                >
                  <IconX size={16} aria-hidden />
                </button>
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}
