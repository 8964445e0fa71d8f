import type { May } from '@trainyard/contract/words/machine.ts'
import { Icon, type IconName } from '#src/ui/Icon.tsx'
import styles from './MachineTable.module.css'

interface RowButtonProps {
  icon: IconName
  /** The word on it, where there is room; elsewhere it is a drawing. */
  word: string
  worded: boolean
  /** Its whole name. */
  label: string
  may: May
  tabIndex: number
  onClick: () => void
}

/**
 * A button of a row, of as few elements as can be: at each frame of scrolling a row and a half come in sight, and what
 * a browser does for them grows with their elements. Its reason is drawn by the style sheet.
 */
export function RowButton({ icon, word, worded, label, may, tabIndex, onClick }: RowButtonProps) {
  const reason = may === true ? undefined : may
  return (
    <button
      type="button"
      className={styles.button}
      tabIndex={tabIndex}
      aria-label={label}
      title={reason === undefined ? label : undefined}
      aria-disabled={reason !== undefined || undefined}
      // oxlint-disable-next-line jsx-a11y/role-supports-aria-props -- ARIA 1.3 has it for every role
      aria-description={reason}
      data-control=""
      onClick={() => reason === undefined && onClick()}
    >
      {worded ? word : <Icon name={icon} size={15} />}
    </button>
  )
}
