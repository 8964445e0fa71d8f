import type { Widths } from './widths.ts'

/** Layout of a row: buttons with text, buttons with icons, or two lines on a phone. */
export type Shape = 'wide' | 'tight' | 'stacked'

/** Column gap and fixed column widths, in px. */
const GAP = 16
const CHECK = 36
const STATE = 144
const HOURS = 80
const ACTIONS = { wide: 344, tight: 148, stacked: 156 } as const
/** Maximum width of a machine's name in two lines. */
const NAME_MAX = 96
/** Minimum width of a learner's address, which is truncated before a column is dropped. */
const LEARNER_MIN = 140

export const ROW_HEIGHT: Readonly<Record<Shape, number>> = { wide: 36, tight: 36, stacked: 72 }

export function layoutFor(box: number, widths: Widths, showLearner: boolean): { shape: Shape; columns: string } {
  const fixed = [widths.name, STATE, HOURS, widths.address]
  const availableWidth = box - fixed.reduce((sum, width) => sum + width + GAP, CHECK + GAP)
  const columnsWith = (learner: number, actions: number) =>
    [`${CHECK}px`, ...(showLearner ? [`${learner}px`] : []), ...fixed.map((width) => `${width}px`)].join(' ') +
    ` minmax(${actions}px, 1fr)`
  const learnerWidth = showLearner ? widths.learner + GAP : 0
  if (availableWidth >= learnerWidth + ACTIONS.wide)
    return { shape: 'wide', columns: columnsWith(widths.learner, ACTIONS.wide) }
  const remainingWidth = availableWidth - ACTIONS.tight - GAP
  if (showLearner ? remainingWidth >= Math.min(LEARNER_MIN, widths.learner) : remainingWidth >= 0)
    return { shape: 'tight', columns: columnsWith(Math.min(widths.learner, remainingWidth), ACTIONS.tight) }
  const name = Math.min(NAME_MAX, widths.name)
  return { shape: 'stacked', columns: `${CHECK}px ${name}px minmax(0, 1fr) ${ACTIONS.stacked}px` }
}
