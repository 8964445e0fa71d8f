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
  /** The table's label for screen readers and the search field: 'Instances of Linux 101'. */
  label: string
  /** Keep it stable between renders (a query's data, or a memo). */
  rows: readonly Row[]
  rowId: (row: Row) => string
  /** Keep it stable between renders. */
  columns: readonly Column<Row>[]
  /** The sentence when there are no rows at all. */
  empty: string
  /** The sentence when a search leaves none. */
  unmatched?: string
  /** Shows a search field over the table. */
  search?: boolean
  /** Offers the rows, as searched and sorted, as a CSV file of this name. */
  csv?: string
  /** Sorted by this at first. */
  sortedBy?: { id: string; desc?: boolean }
  /** Beside the search field: actions on the list. */
  tools?: ReactNode
  /** The table scrolls inside this height (a CSS length); long lists do so anyhow. */
  maxHeight?: string
  /** On a phone each row is a block with each figure under its heading: for rows that can't be made narrow. */
  stacks?: boolean
  onRowClick?: (row: Row) => void
  /** Marks a row as chosen. */
  isSelected?: (row: Row) => boolean
}

/** A table that sorts, searches, exports, and shows only the rows that fit when there are many. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { label, rows, rowId, columns, empty, search, csv, sortedBy, tools } = props
  const [typed, setTyped] = useState('')
  const sought = useDeferredValue(typed)
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
    void saveCsv(csv!, [
      exported.map((column) => column.header),
      ...shown.map((row, index) => exported.map((column) => column.value!(row.original, index))),
    ])
  }

  return (
    <div className={styles.whole}>
      {(search || csv || tools) && (
        <Tools
          label={label}
          typed={typed}
          onType={search ? setTyped : undefined}
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
