import type { Widths } from './widths.ts'

/** The shapes of a row: with words on its buttons, with drawings alone, or as two lines on a phone. */
export type Shape = 'wide' | 'tight' | 'slip'

/** Pixels: between columns, and of the columns that are always as wide. */
const GAP = 16
const CHECK = 36
/** The state, with the seconds that one waits already. */
const STATE = 144
const HOURS = 80
const ACTIONS = { wide: 344, tight: 148 } as const
/** A learner's address is cut rather than a column lost, down to this. */
const LEARNER_LEAST = 140

export const ROW_HEIGHT: Readonly<Record<Shape, number>> = { wide: 36, tight: 36, slip: 72 }

/** Returns the shape of the rows in a box so wide, and their columns. */
export function layoutFor(box: number, widths: Widths, showLearner: boolean): { shape: Shape; columns: string } {
  const fixed = [widths.name, STATE, HOURS, widths.address]
  const room = box - fixed.reduce((sum, width) => sum + width + GAP, CHECK + GAP)
  const columnsWith = (learner: number, actions: number) =>
    [`${CHECK}px`, ...(showLearner ? [`${learner}px`] : []), ...fixed.map((width) => `${width}px`)].join(' ') +
    ` minmax(${actions}px, 1fr)`
  const wanted = showLearner ? widths.learner + GAP : 0
  if (room >= wanted + ACTIONS.wide) return { shape: 'wide', columns: columnsWith(widths.learner, ACTIONS.wide) }
  const left = room - ACTIONS.tight - GAP
  if (showLearner ? left >= Math.min(LEARNER_LEAST, widths.learner) : left >= 0)
    return { shape: 'tight', columns: columnsWith(Math.min(widths.learner, left), ACTIONS.tight) }
  return { shape: 'slip', columns: '' }
}
