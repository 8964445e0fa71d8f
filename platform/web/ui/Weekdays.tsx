import { Chip } from '@mantine/core'
import '@mantine/core/styles/Chip.layer.css'
import { WEEKDAY_NAMES, WEEKDAYS } from '../../contract/words/weekdays.ts'
import styles from './Weekdays.module.css'

interface WeekdaysProps {
  /** Monday 1 to Sunday 7. */
  days: readonly number[]
  change: (days: number[]) => void
}

export const Weekdays = ({ days, change }: WeekdaysProps) => (
  <fieldset className={styles.group}>
    <legend>Days of the week</legend>
    <Chip.Group
      multiple
      value={days.map(String)}
      onChange={(chosen) => change(chosen.map(Number).sort((a, b) => a - b))}
    >
      <div className={styles.days}>
        {WEEKDAYS.map((day, index) => (
          <Chip key={day} value={String(index + 1)} aria-label={WEEKDAY_NAMES[index]}>
            {day}
          </Chip>
        ))}
      </div>
    </Chip.Group>
  </fieldset>
)
