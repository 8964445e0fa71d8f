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
import type { ReactNode } from 'react'

/** A cell's value for sorting, searching and the CSV file. */
export type CellValue = string | number | null

/** A column of a `DataTable`. */
export interface Column<Row> {
  readonly id: string
  /** The heading, in the CSV file too. */
  readonly header: string
  /** Without it the column is one of controls: not sorted, searched or exported. */
  readonly value?: (row: Row, index: number) => CellValue
  /** More that the search finds a row by, beside the value: a name that stands below it. */
  readonly also?: (row: Row) => string | null
  /** The cell's content; without it the value itself. `index` is the row's present place, from 0. */
  readonly cell?: (row: Row, index: number) => ReactNode
  /** 'end' for figures. */
  readonly align?: 'end'
  /** A CSS width; columns without one share what is left. */
  readonly width?: string
  /** Its width on a phone. A table whose columns have one wraps its cells there, instead of scrolling sideways. */
  readonly narrow?: string
  /** false: left out where a phone shows each row as a block, as a row's number is. */
  readonly onSlip?: false
  /** The value to sort by, where it differs from the shown one: an instant in place of its text. */
  readonly sortBy?: (row: Row) => CellValue
  /** false: the heading does not sort. */
  readonly sortable?: boolean
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

/** Returns the columns as the table library takes them. An absent value sorts last. */
export function definitions<Row extends object>(columns: readonly Column<Row>[]): ColumnDef<typeof features, Row>[] {
  return columns.map(({ id, header, value, also, sortBy = also && value && ((row) => value(row, 0)), sortable }) => ({
    id,
    header,
    ...(sortBy && { sortFn: (a, b) => compare(sortBy(a.original), sortBy(b.original)) }),
    accessorFn: (row: Row, index: number) => {
      const shown = value?.(row, index) ?? undefined
      return also === undefined ? shown : `${shown ?? ''}\n${also(row) ?? ''}`
    },
    enableSorting: value !== undefined && sortable !== false,
    sortUndefined: 'last' as const,
  }))
}

function compare(a: CellValue, b: CellValue): number {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? 1 : -1
  return a < b ? -1 : 1
}
