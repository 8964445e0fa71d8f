import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import styles from './TileGrid.module.css'

interface TileGridProps<Item> {
  label: string
  items: readonly Item[]
  /** Minimum width of a tile, and the gap between tiles, in px. */
  widthMin: number
  gap: number
  rowHeight: number
  overscan: number
  /** Renders a tile with a key and role `listitem`. `place` counts from 1. */
  children: (item: Item, place: number) => ReactNode
}

const columnsIn = (width: number, widthMin: number, gap: number): number =>
  Math.max(1, Math.floor((width + gap) / (widthMin + gap)))

/** Returns the width of the screen's content. Before the first render, the page's frame has the same layout. */
function widthOfMain(): number {
  const main = document.querySelector('main, .frame-main')
  if (main === null) return innerWidth
  const { paddingInlineStart, paddingInlineEnd } = getComputedStyle(main)
  return main.clientWidth - Number.parseFloat(paddingInlineStart) - Number.parseFloat(paddingInlineEnd)
}

/** Grid of tiles, in rows of as many as fit. Only visible rows are rendered, so that thousands scroll smoothly. */
export function TileGrid<Item>({ label, items, widthMin, gap, rowHeight, overscan, children }: TileGridProps<Item>) {
  const grid = useRef<HTMLDivElement>(null)
  const [{ columns, top }, setPlace] = useState(() => ({ columns: columnsIn(widthOfMain(), widthMin, gap), top: 0 }))
  useLayoutEffect(() => {
    const element = grid.current!
    const measure = () => {
      const fit = columnsIn(element.clientWidth, widthMin, gap)
      const start = Math.round(element.getBoundingClientRect().top + scrollY)
      setPlace((before) => (before.columns === fit && before.top === start ? before : { columns: fit, top: start }))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [gap, widthMin])

  // oxlint-disable-next-line react/incompatible-library -- a warning for the React Compiler, which is not in use
  const rows = useWindowVirtualizer({
    count: Math.ceil(items.length / columns),
    estimateSize: () => rowHeight,
    gap,
    overscan,
    scrollMargin: top,
    // With the size of the window, the first render includes the tiles, and not only the one after measuring.
    initialRect: { width: innerWidth, height: innerHeight },
  })
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- rows are between the list and its items
    <div ref={grid} className={styles.grid} role="list" aria-label={label} style={{ height: rows.getTotalSize() }}>
      {rows.getVirtualItems().map(({ key, index, start }) => (
        <div
          key={key}
          ref={rows.measureElement}
          data-index={index}
          className={styles.row}
          style={{
            gap,
            gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
            transform: `translateY(${start - top}px)`,
          }}
        >
          {items
            .slice(index * columns, (index + 1) * columns)
            .map((item, place) => children(item, index * columns + place + 1))}
        </div>
      ))}
    </div>
  )
}
