import { useId } from 'react'
import type { May } from '@trainyard/contract/words/machine.ts'
import { Icon, type IconName } from '#src/ui/Icon.tsx'
import styles from './MachineTable.module.css'

interface RowButtonProps {
  icon: IconName
  /** The word on it, where there is room. */
  word: string
  /** Its whole name. */
  label: string
  may: May
  tabIndex: number
  onClick: () => void
}

/**
 * A button of a row. It is the browser's own: of a library's buttons a screen full of rows would have a hundred, which no
 * slow computer draws within a frame.
 */
export function RowButton({ icon, word, label, may, tabIndex, onClick }: RowButtonProps) {
  const id = useId()
  const reason = may === true ? undefined : may
  return (
    <button
      type="button"
      className={styles.button}
      tabIndex={tabIndex}
      aria-label={label}
      title={reason === undefined ? label : undefined}
      aria-disabled={reason !== undefined || undefined}
      aria-describedby={reason === undefined ? undefined : id}
      data-control=""
      onClick={() => reason === undefined && onClick()}
    >
      <Icon name={icon} size={15} />
      <span className={styles.word}>{word}</span>
      {reason !== undefined && (
        <span id={id} className={styles.why}>
          {reason}
        </span>
      )}
    </button>
  )
}
