import { Checkbox, TextInput } from '@mantine/core'
import { controlledCheck, controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import '@mantine/core/styles/Checkbox.layer.css'
import styles from './EventForm.module.css'
import { windowChange, type WindowFields as Fields } from './window.ts'

interface WindowFieldsProps {
  window: Fields
  change: (window: Fields) => void
  current: (Fields & { readonly days: readonly number[] | null }) | null
  /** Reason for which the call refuses the fields, or null. */
  problem: string | null
  tried: boolean
}

const TIMES = [
  ['start', 'Access Window Start'],
  ['stop', 'Access Window End'],
] as const

export function WindowFields({ window, change, current, problem, tried }: WindowFieldsProps) {
  const effect = problem === null ? windowChange(window, current) : null
  return (
    <div className={styles.window}>
      <Checkbox
        label="Disable End-User Access"
        description="Learners can use this training’s machines only within the window below."
        {...controlledCheck(window.restricts, (restricts) => change({ ...window, restricts }))}
      />
      {window.restricts && (
        <div className={styles.times}>
          {TIMES.map(([time, label]) => (
            <TextInput
              key={time}
              type="time"
              label={label}
              w="11rem"
              {...controlledText(window[time], (to) => change({ ...window, [time]: to }))}
            />
          ))}
        </div>
      )}
      {tried && problem !== null && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
      {effect !== null && <p className={styles.hint}>{effect}</p>}
    </div>
  )
}
