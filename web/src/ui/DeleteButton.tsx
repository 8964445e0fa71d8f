import styles from './DeleteButton.module.css'
import { Icon } from './Icon.tsx'

/** A row's way out: a bin that says of what. */
export const DeleteButton = ({ name, onClick }: { name: string; onClick: () => void }) => (
  <button
    type="button"
    className={styles.delete}
    aria-label={`Delete ${name}`}
    title={`Delete ${name}`}
    onClick={onClick}
  >
    <Icon name="bin" size={17} />
  </button>
)
