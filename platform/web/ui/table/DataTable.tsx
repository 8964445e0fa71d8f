import { useTable } from '@tanstack/react-table'
import { useDeferredValue, useMemo, useState, type ReactNode } from 'react'
import { saveCsv } from '../saveCsv.ts'
import { EmptyState } from '../EmptyState.tsx'
import { Body } from './Body.tsx'
import { definitions, features, type Column } from './columns.ts'
import styles from './DataTable.module.css'
import { HeadCell } from './HeadCell.tsx'
import { Tools } from './Tools.tsx'

export type { Column } from './columns.ts'

export interface DataTableProps<Row extends object> {
  label: string
  /** Must be a stable reference (a query's data, or a memo). */
  rows: readonly Row[]
  rowId: (row: Row) => string
  /** Must be a stable reference. */
  columns: readonly Column<Row>[]
  empty: string
  unmatched?: string
  search?: boolean
  csv?: string
  sortedBy?: { id: string; desc?: boolean }
  tools?: ReactNode
  /** Maximum height (a CSS length), beyond which the table scrolls; long tables have one by default. */
  maxHeight?: string
  /** On a phone, shows each row as a block of labelled values, for rows that can't be narrowed. */
  stacks?: boolean
  onRowClick?: (row: Row) => void
  isSelected?: (row: Row) => boolean
  /** Content below a row over the whole width of the table, such as a long reason; null if the row has none. */
  below?: (row: Row) => ReactNode
}

export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { label, rows, rowId, columns, empty, search, csv, sortedBy, tools } = props
  const [entered, setEntered] = useState('')
  const sought = useDeferredValue(entered)
  const table = useTable({
    features,
    columns: useMemo(() => definitions(columns), [columns]),
    data: rows,
    getRowId: rowId,
    state: { globalFilter: sought },
    initialState: { sorting: sortedBy ? [{ id: sortedBy.id, desc: sortedBy.desc ?? false }] : [] },
    globalFilterFn: 'includesString',
    getColumnCanGlobalFilter: ({ id }) => columns.some((column) => column.id === id && column.value !== undefined),
    enableMultiSort: false,
  })
  const shown = table.getRowModel().rows

  const exportCsv = () => {
    const exported = columns.filter((column) => column.value)
    saveCsv(csv!, [
      exported.map((column) => column.header),
      ...shown.map((row, index) => exported.map((column) => column.value!(row.original, index))),
    ])
  }

  return (
    <div className={styles.whole}>
      {(search || csv || tools) && (
        <Tools
          label={label}
          entered={entered}
          onType={search ? setEntered : undefined}
          onExport={csv && rows.length > 0 ? exportCsv : undefined}
        >
          {tools}
        </Tools>
      )}
      {rows.length === 0 ? (
        <EmptyState text={empty} />
      ) : (
        <Body {...props} shown={shown}>
          <tr>
            {table.getHeaderGroups()[0]!.headers.map((header, place) => (
              <HeadCell
                key={header.id}
                header={columns[place]!.header}
                align={columns[place]!.align}
                sorted={header.column.getIsSorted()}
                sort={header.column.getCanSort() ? () => header.column.toggleSorting() : undefined}
              />
            ))}
          </tr>
        </Body>
      )}
    </div>
  )
}
