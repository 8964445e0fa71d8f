import IconPencil from '@tabler/icons-react/icons/IconPencil'
import IconReload from '@tabler/icons-react/icons/IconReload'
import IconTrash from '@tabler/icons-react/icons/IconTrash'
import styles from './IconButtons.module.css'
import type { Icon as TablerIcon } from '@tabler/icons-react'
import type { Column } from './table/columns.ts'

interface IconButtonProps {
  icon: TablerIcon
  label: string
  className?: string
  onClick: () => void
}

const IconButton = ({ icon: Icon, label, className = '', onClick }: IconButtonProps) => (
  <button type="button" className={`icon-button ${className}`} aria-label={label} title={label} onClick={onClick}>
    <Icon size={17} aria-hidden />
  </button>
)

interface NamedButtonProps {
  name: string
  onClick: () => void
}

export const EditButton = ({ name, onClick }: NamedButtonProps) => (
  <IconButton icon={IconPencil} label={`Edit ${name}`} onClick={onClick} />
)

export const RenewButton = ({ name, onClick }: NamedButtonProps) => (
  <IconButton icon={IconReload} label={`Renew ${name}`} onClick={onClick} />
)

export const DeleteButton = ({ name, onClick }: NamedButtonProps) => (
  <IconButton icon={IconTrash} label={`Delete ${name}`} className={styles.delete} onClick={onClick} />
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
