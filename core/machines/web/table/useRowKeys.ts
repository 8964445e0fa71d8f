import type { KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import type { Machine } from '../../contract/machine.ts'

const PAGE = 10

interface RowKeys {
  machines: readonly Machine[]
  activeIndex: number
  setActive: (id: string) => void
  toSight: (index: number) => void
  extendTo: (from: string, id: string) => void
  selectAll: () => void
}

/** Handles keys: arrows move between rows within a column, arrows with Shift select, and Ctrl+A selects all. */
export function useRowKeys({ machines, activeIndex, setActive, toSight, extendTo, selectAll }: RowKeys) {
  return (event: KeyboardEvent<HTMLElement>) => {
    const row = (event.target as HTMLElement).closest<HTMLElement>('[data-id]')
    // Keys inside a row's menu are handled by the menu.
    if (row === null || event.defaultPrevented) return
    if (event.key === 'a' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      selectAll()
      return
    }
    const last = machines.length - 1
    const goals: Readonly<Record<string, number>> = {
      ArrowDown: activeIndex + 1,
      ArrowUp: activeIndex - 1,
      PageDown: activeIndex + PAGE,
      PageUp: activeIndex - PAGE,
      Home: 0,
      End: last,
    }
    const goal = goals[event.key]
    if (goal === undefined) return
    event.preventDefault()
    const index = Math.max(0, Math.min(last, goal))
    const { _id: id } = machines[index]!
    const column = controlsOf(row).indexOf(document.activeElement as HTMLElement)
    if (event.shiftKey) extendTo(machines[activeIndex]!._id, id)
    // The row must be rendered before it can be focused.
    flushSync(() => setActive(id))
    toSight(index)
    const next = event.currentTarget.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`)
    if (next)
      controlsOf(next)
        .at(Math.min(column, controlsOf(next).length - 1))
        ?.focus({ preventScroll: true })
  }
}

const controlsOf = (row: HTMLElement) => [...row.querySelectorAll<HTMLElement>('[data-control]')]
