import type { Icon as TablerIcon } from '@tabler/icons-react'
import styles from './MachineTable.module.css'

interface RowButtonProps {
  icon?: TablerIcon | undefined
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
export const RowButton = ({ icon: Icon, word, label, warns = false, tabIndex, onClick }: RowButtonProps) => (
  <button
    type="button"
    className={styles.button}
    tabIndex={tabIndex}
    aria-label={label}
    data-warns={warns || undefined}
    data-control=""
    onClick={onClick}
  >
    {Icon && <Icon size={16} aria-hidden />}
    {word}
  </button>
)
