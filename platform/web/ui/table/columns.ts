import {
  columnFilteringFeature,
  createFilteredRowModel,
  createSortedRowModel,
  filterFn_includesString,
  globalFilteringFeature,
  rowSortingFeature,
  sortFn_alphanumeric,
  sortFn_text,
  tableFeatures,
  type ColumnDef,
} from '@tanstack/react-table'
import { compareNaturally } from '../../../contract/words/natural-order.ts'
import type { ReactNode } from 'react'

/** A cell's value for sorting, search and CSV export. */
export type CellValue = string | number | null

export interface Column<Row> {
  readonly id: string
  /** Heading of the column, on screen and in the CSV file. */
  readonly header: string
  /** Value of a cell. Columns without it hold controls and are not sorted, searched or exported. */
  readonly value?: (row: Row, index: number) => CellValue
  /** Additional text for the search, such as a name below the value. */
  readonly searchText?: (row: Row) => string | null
  /** Content of a cell; by default the value. `index` is the row's current position, from 0. */
  readonly cell?: (row: Row, index: number) => ReactNode
  /** 'end' for figures. */
  readonly align?: 'end'
  /** CSS width; columns without one share the remaining width. */
  readonly width?: string
  /** Width on a phone. A table with such columns wraps its cells there instead of scrolling sideways. */
  readonly narrow?: string
  /** false to hide the value where a phone shows each row as a block, such as a row's number. */
  readonly onPhone?: false
  /** Sort key, if it differs from the shown value, such as an instant instead of its text. */
  readonly sortBy?: (row: Row) => CellValue
  readonly sortable?: boolean
  /** Content of the last row, such as a sum. A table with such columns has this row. */
  readonly total?: string
}

export const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric, text: sortFn_text },
  columnFilteringFeature,
  globalFilteringFeature,
  filteredRowModel: createFilteredRowModel(),
  filterFns: { includesString: filterFn_includesString },
})

/** Returns the columns for the table library. Missing values sort last. */
export function definitions<Row extends object>(columns: readonly Column<Row>[]): ColumnDef<typeof features, Row>[] {
  return columns.map(
    ({ id, header, value, searchText, sortBy = searchText && value && ((row) => value(row, 0)), sortable }) => ({
      id,
      header,
      ...(sortBy && { sortFn: (a, b) => compare(sortBy(a.original), sortBy(b.original)) }),
      accessorFn: (row: Row, index: number) => {
        const shown = value?.(row, index) ?? undefined
        const more = searchText?.(row)
        return more ? `${shown ?? ''}\n${more}` : shown
      },
      enableSorting: value !== undefined && sortable !== false,
      sortUndefined: 'last' as const,
    }),
  )
}

function compare(a: CellValue, b: CellValue): number {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? 1 : -1
  if (typeof a === 'string' && typeof b === 'string') return compareNaturally(a, b)
  return a < b ? -1 : 1
}
