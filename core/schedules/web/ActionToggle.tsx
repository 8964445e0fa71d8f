import { useId } from 'react'
import type { ScheduleAction } from '../contract/schedule-words.ts'
import styles from './EventForm.module.css'
import { ACTION_LABELS } from './schedules.ts'

interface ActionToggleProps {
  value: ScheduleAction
  change: (action: ScheduleAction) => void
}

export function ActionToggle({ value, change }: ActionToggleProps) {
  const name = useId()
  return (
    <fieldset className={styles.group}>
      <legend>Action</legend>
      <div className={styles.toggle}>
        {Object.entries(ACTION_LABELS).map(([action, label]) => (
          <label key={action}>
            <input
              type="radio"
              name={name}
              checked={value === action}
              onChange={() => change(action as ScheduleAction)}
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
