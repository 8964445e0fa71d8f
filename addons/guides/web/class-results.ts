import type { GuideOfClass, GuideResult } from '../contract/guide.ts'
import { STUCK_REDS, type TaskState } from '../contract/guide-words.ts'

type TaskOfLearner = GuideResult['tasks'][number]

export const taskOf = ({ tasks }: GuideResult, id: string): TaskOfLearner | undefined =>
  tasks.find(({ task }) => task === id)

export const stateOf = (result: GuideResult, id: string): TaskState => taskOf(result, id)?.state ?? 'open'

export const isFinished = (state: TaskState): boolean => state === 'green' || state === 'solved'

/** Returns the steps that learners see. */
export const shownSteps = ({ steps }: GuideOfClass) => steps.filter(({ isHidden }) => !isHidden)

export const tasksOf = (guide: GuideOfClass) =>
  shownSteps(guide).flatMap(({ title, tasks }, index) =>
    tasks.map((task) => ({ ...task, step: index + 1, stepTitle: title })),
  )

/** Filters of a class, with their labels. */
export const FILTERS = {
  stuck: 'Stuck',
  working: 'Working',
  finished: 'Finished',
  waiting: 'Not started',
} as const
export type Filter = keyof typeof FILTERS

export function matches(result: GuideResult, guide: GuideOfClass, filter: Filter): boolean {
  if (filter === 'stuck') return result.stuck !== null
  const state = result.step === null ? 'waiting' : result.tasksDone < tasksOf(guide).length ? 'working' : 'finished'
  return state === filter
}

/** Returns why a learner counts as stuck: "Stuck, 3 checks not done", "Stuck, 14 min". */
export const stuckText = ({ minutes, reds }: NonNullable<GuideResult['stuck']>): string =>
  reds >= STUCK_REDS ? `Stuck, ${reds} failed checks` : `Stuck, ${minutes} min`

/** Returns where a learner is: "Not started", "Step 2 of 4", "Finished". */
export function placeOf(result: GuideResult, guide: GuideOfClass): string {
  if (result.step === null) return 'Not started'
  if (matches(result, guide, 'finished')) return 'Finished'
  const steps = shownSteps(guide)
  const index = steps.findIndex(({ step }) => step === result.step)
  return `Step ${Math.max(0, index) + 1} of ${steps.length}`
}

/** Tasks whose failures are listed. */
const LISTED = 3

/** Returns the tasks whose last check was red for most learners, by number of learners. */
export const failuresIn = (results: readonly GuideResult[], guide: GuideOfClass) =>
  tasksOf(guide)
    .map(({ task, title, step }) => ({
      task,
      title,
      step,
      count: results.filter((result) => stateOf(result, task) === 'red').length,
    }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count)
    .slice(0, LISTED)
