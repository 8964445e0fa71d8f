import styles from './IconButtons.module.css'
import { Icon, type IconName } from './Icon.tsx'
import type { Column } from './table/columns.ts'

interface IconButtonProps {
  icon: IconName
  label: string
  className?: string
  onClick: () => void
}

const IconButton = ({ icon, label, className = '', onClick }: IconButtonProps) => (
  <button type="button" className={`icon-button ${className}`} aria-label={label} title={label} onClick={onClick}>
    <Icon name={icon} size={17} />
  </button>
)

interface NamedButtonProps {
  name: string
  onClick: () => void
}

export const EditButton = ({ name, onClick }: NamedButtonProps) => (
  <IconButton icon="pencil" label={`Edit ${name}`} onClick={onClick} />
)

export const RenewButton = ({ name, onClick }: NamedButtonProps) => (
  <IconButton icon="restart" label={`Renew ${name}`} onClick={onClick} />
)

export const DeleteButton = ({ name, onClick }: NamedButtonProps) => (
  <IconButton icon="bin" label={`Delete ${name}`} className={styles.delete} onClick={onClick} />
)

/** Returns a column of delete buttons; `narrow` is its width on a phone. */
export const deleteColumn = <Row,>(
  nameOf: (row: Row) => string,
  ask: (row: Row) => void,
  narrow = '4.5rem',
): Column<Row> => ({
  id: 'delete',
  header: 'Delete',
  width: '5rem',
  narrow,
  cell: (row) => <DeleteButton name={nameOf(row)} onClick={() => ask(row)} />,
})
