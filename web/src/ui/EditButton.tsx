import { Icon } from './Icon.tsx'
import type { Column } from './table/columns.ts'

export const EditButton = ({ name, onClick }: { name: string; onClick: () => void }) => (
  <button type="button" className="icon-button" aria-label={`Edit ${name}`} title={`Edit ${name}`} onClick={onClick}>
    <Icon name="pencil" size={17} />
  </button>
)

/** Returns a column of edit buttons; `narrow` is its width on a phone. */
export const editColumn = <Row,>(
  nameOf: (row: Row) => string,
  ask: (row: Row) => void,
  narrow = '3.5rem',
): Column<Row> => ({
  id: 'edit',
  header: 'Edit',
  width: '5rem',
  narrow,
  cell: (row) => <EditButton name={nameOf(row)} onClick={() => ask(row)} />,
})
