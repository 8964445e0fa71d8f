import { Checkbox, TextInput } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import styles from './EventForm.module.css'
import { windowChange, windowProblem, type WindowFields as Fields } from './window.ts'

interface WindowFieldsProps {
  window: Fields
  change: (window: Fields) => void
  /** The window that holds now; null while it is not known. */
  current: Fields | null
  /** Shows the problem of a missing or wrong time. */
  tried: boolean
}

/** Disable End-User Access: the times of the day outside which learners have no access. */
export function WindowFields({ window, change, current, tried }: WindowFieldsProps) {
  const problem = tried ? windowProblem(window) : null
  const effect = windowChange(window, current)
  return (
    <div className={styles.window}>
      <Checkbox
        label="Disable End-User Access"
        description="Learners get to this training’s machines only within the window below."
        checked={window.restricts}
        onChange={(event) => change({ ...window, restricts: event.currentTarget.checked })}
      />
      {window.restricts && (
        <div className={styles.times}>
          <TextInput
            type="time"
            label="Access Window Start"
            w="11rem"
            value={window.start}
            onChange={(event) => change({ ...window, start: event.currentTarget.value })}
          />
          <TextInput
            type="time"
            label="Access Window End"
            w="11rem"
            value={window.stop}
            onChange={(event) => change({ ...window, stop: event.currentTarget.value })}
          />
        </div>
      )}
      {problem !== null && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
      {effect !== null && <p className={styles.hint}>{effect}</p>}
    </div>
  )
}
