import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

interface Tiles {
  count: number
  widthMin: number
  gap: number
  /** Estimated row height, until measured. */
  rowHeight: number
  /** Number of rows rendered beyond the visible ones. */
  overscan: number
}

interface TileRows {
  grid: RefObject<HTMLDivElement | null>
  columns: number
  /** Distance of the grid from the top of the page. */
  top: number
  rows: ReturnType<typeof useWindowVirtualizer<Element>>
}

/** Lays out tiles in rows of as many as fit. Only visible rows need to be rendered. */
export function useTileRows({ count, widthMin, gap, rowHeight, overscan }: Tiles): TileRows {
  const grid = useRef<HTMLDivElement>(null)
  const [{ columns, top }, setPlace] = useState({ columns: 1, top: 0 })
  useLayoutEffect(() => {
    const element = grid.current!
    const measure = () => {
      const fit = Math.max(1, Math.floor((element.clientWidth + gap) / (widthMin + gap)))
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
    count: Math.ceil(count / columns),
    estimateSize: () => rowHeight,
    gap,
    overscan,
    scrollMargin: top,
  })
  return { grid, columns, top, rows }
}
