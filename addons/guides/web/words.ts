import type { CheckState, TaskState } from '../contract/guide-words.ts'

export const CHECK_WORDS: Readonly<Record<CheckState, string>> = {
  green: 'Done',
  red: 'Not done',
  broken: 'Could not be checked',
}

export const TASK_WORDS: Readonly<Record<TaskState, string>> = {
  open: 'Open',
  green: 'Done',
  red: 'Not done',
  broken: 'Could not be checked',
  skipped: 'Skipped',
  solved: 'Solved for you',
}

/** Words for the cells of a table. */
export const SHORT_WORDS: Readonly<Record<TaskState, string>> = { ...TASK_WORDS, broken: 'Broken', solved: 'Solved' }

export const points = (count: number): string => (count === 1 ? '1 point' : `${count} points`)
