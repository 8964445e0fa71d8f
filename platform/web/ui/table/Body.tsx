import { Address } from '../Address.tsx'
import { useVirtualizer } from '@tanstack/react-virtual'
import { Fragment, useRef, type CSSProperties, type ReactNode } from 'react'
import { usePrinting } from '../usePrinting.ts'
import type { CellValue, Column } from './columns.ts'
import styles from './DataTable.module.css'

/** Maximum number of rows that are all rendered; longer tables render only visible rows, except when printing. */
const DRAWN_WHOLE = 60
/** Height of a row in px, as in `tokens.css`. */
const rowHeight = () => (matchMedia('(pointer: coarse)').matches ? 44 : 36)

interface BodyProps<Row extends object> {
  label: string
  columns: readonly Column<Row>[]
  shown: readonly { id: string; original: Row }[]
  maxHeight?: string
  stacks?: boolean
  unmatched?: string
  onRowClick?: (row: Row) => void
  isSelected?: (row: Row) => boolean
  below?: (row: Row) => ReactNode
  children: ReactNode
}

export function Body<Row extends object>(props: BodyProps<Row>) {
  const {
    label,
    columns,
    shown,
    maxHeight,
    stacks,
    unmatched = 'No matches.',
    onRowClick,
    isSelected,
    below,
    children,
  } = props
  const box = useRef<HTMLElement>(null)
  const printing = usePrinting()
  const long = shown.length > DRAWN_WHOLE && !printing
  // oxlint-disable-next-line react/incompatible-library -- a warning for the React Compiler, which is not in use
  const virtual = useVirtualizer({
    count: shown.length,
    enabled: long,
    getScrollElement: () => box.current,
    estimateSize: rowHeight,
    ...(below && { measureElement: heightWithBelow }),
    overscan: 8,
  })
  const hasTotal = columns.some(({ total }) => total !== undefined)
  const drawn = long ? virtual.getVirtualItems() : shown.map((_, index) => ({ index, start: 0, end: 0 }))
  const before = long ? (drawn[0]?.start ?? 0) : 0
  const after = long ? virtual.getTotalSize() - (drawn.at(-1)?.end ?? 0) : 0
  return (
    <section
      ref={box}
      className={`panel ${styles.box}`}
      // The surrounding section is a landmark with the table's name. Landmarks need distinct names.
      aria-label={`Rows: ${label}`}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be reachable by keyboard
      tabIndex={0}
      style={{ maxHeight: maxHeight ?? (long ? '70dvh' : undefined) }}
    >
      <table
        className={styles.table}
        aria-label={label}
        aria-rowcount={shown.length + (hasTotal ? 2 : 1)}
        data-fixed={long || undefined}
        style={leastOf(columns)}
        data-stacks={stacks || undefined}
        data-fits={columns.some(({ narrow }) => narrow !== undefined) || undefined}
      >
        <colgroup>
          {columns.map((column) => (
            <col key={column.id} className={styles.column} style={measureWidths(column)} />
          ))}
        </colgroup>
        <thead>{children}</thead>
        <tbody>
          {before > 0 && <Room height={before} />}
          {drawn.map(({ index }) => {
            const row = shown[index]!
            const extra = below?.(row.original) ?? null
            return (
              <Fragment key={row.id}>
                <tr
                  // Rows with wrapped cells are higher than estimated.
                  ref={long ? virtual.measureElement : undefined}
                  data-index={index}
                  aria-rowindex={index + 2}
                  data-selected={isSelected?.(row.original) || undefined}
                  data-clickable={onRowClick ? true : undefined}
                  onClick={onRowClick && (() => onRowClick(row.original))}
                >
                  {columns.map((column) => (
                    <td
                      key={column.id}
                      data-align={column.align}
                      data-label={stacks ? column.header : undefined}
                      data-off-phone={column.onPhone === false || undefined}
                    >
                      {column.cell ? column.cell(row.original, index) : text(column.value?.(row.original, index))}
                    </td>
                  ))}
                </tr>
                {extra !== null && (
                  <tr data-below>
                    <td colSpan={columns.length}>{extra}</td>
                  </tr>
                )}
              </Fragment>
            )
          })}
          {after > 0 && <Room height={after} />}
        </tbody>
        {hasTotal && (
          <tfoot>
            <tr aria-rowindex={shown.length + 2}>
              {columns.map(({ id, header, align, total = '' }) => (
                <td key={id} data-align={align} data-label={stacks ? header : undefined}>
                  {total}
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
      {shown.length === 0 && <p className={styles.nothing}>{unmatched}</p>}
    </section>
  )
}

function heightWithBelow(row: Element): number {
  const next = row.nextElementSibling
  const below = next?.matches('[data-below]') ? next.getBoundingClientRect().height : 0
  return Math.round(row.getBoundingClientRect().height + below)
}

const measureWidths = ({ width, narrow }: { width?: string; narrow?: string }) =>
  ({ '--width': width, '--narrow': narrow ?? width }) as CSSProperties

/** Sets the minimum width of a table whose columns all have a width; it then scrolls in its box. */
const leastOf = (columns: readonly { width?: string }[]) =>
  columns.every(({ width }) => width !== undefined)
    ? ({ '--least': `calc(${columns.map(({ width }) => width).join(' + ')})` } as CSSProperties)
    : undefined

const Room = ({ height }: { height: number }) => <tr aria-hidden="true" style={{ height }} />

const text = (value: CellValue | undefined) =>
  value === null || value === undefined || value === '' ? (
    '–'
  ) : typeof value === 'string' && value.includes('@') ? (
    <Address>{value}</Address>
  ) : (
    value
  )
