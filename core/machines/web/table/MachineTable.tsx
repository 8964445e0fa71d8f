import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Machine } from '../../contract/machine.ts'
import { usePrinting } from '@trainyard/platform/web/ui/usePrinting.ts'
import type { Command } from '../commands.ts'
import type { Selected } from '../machine-selection.ts'
import { selectRange, toggleOne } from '../machine-selection.ts'
import type { Sort } from '../view.ts'
import { ROW_HEIGHT } from './layout.ts'
import { MachineRow } from './MachineRow.tsx'
import styles from './MachineTable.module.css'
import { TableHead } from './TableHead.tsx'
import { useTableLayout } from './useTableLayout.ts'
import { useRowKeys } from './useRowKeys.ts'

interface MachineTableProps {
  machines: readonly Machine[]
  selected: Selected
  select: (change: (now: Selected) => Selected) => void
  showLearner: boolean
  sort: Sort
  sortBy: (sort: Sort) => void
  act: (command: Command, on: readonly Machine[]) => void
  /** Machine whose details are shown beside the table. */
  opened: string | null
  open: (id: string) => void
  empty: string
}

export function MachineTable(props: MachineTableProps) {
  const { machines, selected, select, showLearner, sort, sortBy, act, opened, open, empty } = props
  const { table, body, top, covered, shape, columns } = useTableLayout(machines, showLearner)
  const [activeId, setActive] = useState<string | null>(null)
  const activeIndex = Math.max(
    0,
    machines.findIndex(({ _id }) => _id === activeId),
  )
  const printing = usePrinting()

  // oxlint-disable-next-line react/incompatible-library -- a warning for the React Compiler, which is not in use
  const rows = useWindowVirtualizer({
    count: machines.length,
    estimateSize: () => ROW_HEIGHT[shape],
    getItemKey: useCallback((index: number) => machines[index]!._id, [machines]),
    overscan: 6,
    // With the size of the window, the first render includes the rows, and not only the one after measuring.
    initialRect: { width: innerWidth, height: innerHeight },
    scrollMargin: top,
    scrollPaddingStart: covered,
    // The active row is always rendered, because the Tab key enters the table there.
    rangeExtractor: (range) =>
      printing
        ? machines.map((_, index) => index)
        : [...new Set([...defaultRangeExtractor(range), activeIndex])].toSorted((a, b) => a - b),
  })
  useEffect(() => rows.measure(), [rows, shape])

  // The callbacks are stable, so that a row renders only when its own machine changes.
  const anchor = useRef<string | null>(null)
  const now = useRef(machines)
  now.current = machines
  const toggle = useCallback(
    (id: string, extend: boolean) => {
      const from = anchor.current
      select((before) => (extend ? selectRange(now.current, before, from, id) : toggleOne(before, id)))
      anchor.current = id
    },
    [select],
  )
  const onKeyDown = useRowKeys({
    machines,
    activeIndex,
    setActive,
    toSight: (index) => rows.scrollToIndex(index, { align: 'auto' }),
    extendTo: (from, id) => {
      anchor.current ??= from
      select((before) => selectRange(machines, before, anchor.current, id))
    },
    selectAll: () => select(() => new Set(machines.map(({ _id }) => _id))),
  })

  return (
    <table
      ref={table}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- a grid is an interactive table
      role="grid"
      className={styles.table}
      aria-label="Instances"
      aria-rowcount={machines.length + 1}
      aria-multiselectable="true"
      data-shape={shape}
      style={{ '--columns': columns, '--covered': `${covered - ROW_HEIGHT.wide}px` } as React.CSSProperties}
      onKeyDown={onKeyDown}
      onFocus={({ target }) => {
        const id = target.closest<HTMLElement>('[data-id]')?.dataset['id']
        if (id !== undefined) setActive(id)
      }}
    >
      <TableHead showLearner={showLearner} sort={sort} sortBy={sortBy} />
      <tbody ref={body} className={styles.body} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, key, start }) => {
          const machine = machines[index]!
          return (
            <MachineRow
              key={key}
              machine={machine}
              isSelected={selected.has(machine._id)}
              showLearner={showLearner}
              index={index}
              top={start - top}
              isActive={index === activeIndex}
              isOpened={machine._id === opened}
              open={open}
              toggle={toggle}
              act={act}
            />
          )
        })}
      </tbody>
      {machines.length === 0 && <caption className={styles.nothing}>{empty}</caption>}
    </table>
  )
}
