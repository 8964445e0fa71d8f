import { Icon, type IconName } from '@trainyard/platform/web/ui/Icon.tsx'
import styles from './MachineTable.module.css'

interface RowButtonProps {
  icon?: IconName | undefined
  word: string
  label: string
  warns?: boolean
  tabIndex: number
  onClick: () => void
}

/**
 * Renders a button with few elements, because their number determines the cost of rendering rows while the user
 * scrolls.
 */
export const RowButton = ({ icon, word, label, warns = false, tabIndex, onClick }: RowButtonProps) => (
  <button
    type="button"
    className={styles.button}
    tabIndex={tabIndex}
    aria-label={label}
    data-warns={warns || undefined}
    data-control=""
    onClick={onClick}
  >
    {icon && <Icon name={icon} size={16} />}
    {word}
  </button>
)
