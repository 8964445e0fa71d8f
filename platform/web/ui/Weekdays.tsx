import { Chip, Input } from '@mantine/core'
import '@mantine/core/styles/Chip.layer.css'
import type { ReactNode } from 'react'
import { WEEKDAY_NAMES, WEEKDAYS } from '../../contract/words/weekdays.ts'
import styles from './Weekdays.module.css'

interface WeekdaysProps {
  /** Monday 1 to Sunday 7. */
  value?: readonly number[]
  onChange: (days: number[]) => void
  error?: ReactNode
}

export const Weekdays = ({ value, onChange, error, ...group }: WeekdaysProps) => (
  <fieldset className={styles.group} {...group}>
    <legend>Days of the week</legend>
    <Chip.Group
      multiple
      value={value?.map(String)}
      onChange={(chosen) => onChange(chosen.map(Number).sort((a, b) => a - b))}
    >
      <div className={styles.days}>
        {WEEKDAYS.map((day, index) => (
          <Chip key={day} value={String(index + 1)} aria-label={WEEKDAY_NAMES[index]}>
            {day}
          </Chip>
        ))}
      </div>
    </Chip.Group>
    {error && <Input.Error>{error}</Input.Error>}
  </fieldset>
)
