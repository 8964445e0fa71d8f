import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Machine } from '../../contract/machine.ts'
import { layoutFor, ROW_HEIGHT } from './layout.ts'
import { measureWidths } from './widths.ts'

const START = {
  width: 1112,
  top: 0,
  covered: ROW_HEIGHT.wide,
  fonts: { text: '13px sans-serif', mono: '12px monospace' },
}

export function useTableLayout(machines: readonly Machine[], showLearner: boolean) {
  const table = useRef<HTMLTableElement>(null)
  const body = useRef<HTMLTableSectionElement>(null)
  const [box, setBox] = useState(START)
  useLayoutEffect(() => {
    const element = table.current!
    const bar = element.closest('section')?.querySelector<HTMLElement>('[data-sticky]')
    const style = getComputedStyle(element)
    const mono = style.getPropertyValue('--mono')
    const measure = () =>
      setBox((now) => {
        const next = {
          width: element.clientWidth,
          top: Math.round(body.current!.getBoundingClientRect().top + scrollY),
          // The sticky toolbar and the headings cover the top of the table.
          covered: (bar?.offsetHeight ?? 0) + ROW_HEIGHT.wide,
          fonts: { text: `600 ${style.fontSize} ${style.fontFamily}`, mono: `12px ${mono}` },
        }
        return next.width === now.width && next.top === now.top && next.covered === now.covered ? now : next
      })
    measure()
    const observer = new ResizeObserver(measure)
    for (const each of [element, bar, document.body]) if (each) observer.observe(each)
    return () => observer.disconnect()
  }, [])
  const widths = useMemo(() => measureWidths(machines, box.fonts), [machines, box.fonts])
  const layout = useMemo(() => layoutFor(box.width, widths, showLearner), [box.width, widths, showLearner])
  return { table, body, top: box.top, covered: box.covered, ...layout }
}
