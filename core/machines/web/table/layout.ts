import type { Widths } from './widths.ts'

/** Layout of a row: all columns, without the address, also without the machine's name, or two lines. */
export type Shape = 'wide' | 'medium' | 'narrow' | 'stacked'

/** Column gap and fixed column widths, in px. */
const GAP = 16
const CHECK = 36
const STATE = 136
const HOURS = 128
/** The longest main action with its icon, and the menu. */
const ACTIONS = 196
/** Minimum width of a learner's address, which is truncated before a column is dropped. */
const LEARNER_MIN = 140

export const ROW_HEIGHT: Readonly<Record<Shape, number>> = { wide: 36, medium: 36, narrow: 36, stacked: 80 }

export function layoutFor(box: number, widths: Widths, showLearner: boolean): { shape: Shape; columns: string } {
  const withName: readonly (readonly [Shape, readonly number[]])[] = [
    ['wide', [widths.name, STATE, HOURS, widths.address]],
    ['medium', [widths.name, STATE, HOURS]],
  ]
  // Without a learner column, the machine's name is the row header.
  for (const [shape, fixed] of showLearner ? [...withName, ['narrow', [STATE, HOURS]] as const] : withName) {
    const rest = box - [CHECK, ...fixed, ACTIONS].reduce((sum, width) => sum + width + GAP, 0)
    if (rest < (showLearner ? Math.min(LEARNER_MIN, widths.learner) : 0)) continue
    const learner = showLearner ? [Math.min(widths.learner, rest)] : []
    return {
      shape,
      columns: `${[CHECK, ...learner, ...fixed].map((width) => `${width}px`).join(' ')} minmax(${ACTIONS}px, 1fr)`,
    }
  }
  return { shape: 'stacked', columns: `${CHECK}px minmax(0, 1fr) ${ACTIONS}px` }
}
