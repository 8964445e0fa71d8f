import styles from './DeleteButton.module.css'
import { Icon } from './Icon.tsx'
import type { Column } from './table/columns.ts'

export const DeleteButton = ({ name, onClick }: { name: string; onClick: () => void }) => (
  <button
    type="button"
    className={`icon-button ${styles.delete}`}
    aria-label={`Delete ${name}`}
    title={`Delete ${name}`}
    onClick={onClick}
  >
    <Icon name="bin" size={17} />
  </button>
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
