import type { TrueOrReason } from '@trainyard/platform/contract/words/true-or-reason.ts'
import { Icon, type IconName } from '@trainyard/platform/web/ui/Icon.tsx'
import styles from './MachineTable.module.css'

interface RowButtonProps {
  icon: IconName
  word: string
  showsText: boolean
  label: string
  may: TrueOrReason
  tabIndex: number
  onClick: () => void
}

/**
 * Renders a button with few elements, because their number determines the cost of rendering rows while the user
 * scrolls.
 */
export function RowButton({ icon, word, showsText, label, may, tabIndex, onClick }: RowButtonProps) {
  const reason = may === true ? undefined : may
  return (
    <button
      type="button"
      className={styles.button}
      tabIndex={tabIndex}
      aria-label={label}
      title={reason === undefined ? label : undefined}
      aria-disabled={reason !== undefined || undefined}
      // oxlint-disable-next-line jsx-a11y/role-supports-aria-props -- ARIA 1.3 allows it for every role
      aria-description={reason}
      data-control=""
      onClick={() => reason === undefined && onClick()}
    >
      {showsText ? word : <Icon name={icon} size={15} />}
    </button>
  )
}
