import type { ScheduleAction } from '@trainyard/schedules/contract/schedule-words.ts'
import { SCHEDULE_GRACE_MINUTES } from '@trainyard/platform/contract/words/limits.ts'

export const MISSED_RULE =
  `The portal starts a delayed run up to ${SCHEDULE_GRACE_MINUTES} minutes late. ` +
  'After that, the run is skipped and shown as missed.'

const ACTIONS: Readonly<Record<ScheduleAction, string>> = { Start: 'Power On', Stop: 'Shut Down' }
const runs = (count: number): string => (count === 1 ? 'One run' : `${count} runs`)
const plural = (count: number, one: string, many: string): string => (count === 1 ? one : many)

/** Dates are DD/MM/YYYY. */
export const CONFLICTS = {
  opposite: (count: number, first: string, action: ScheduleAction) =>
    `${runs(count)} ${plural(count, 'is', 'are')} planned for the same minute as a ${ACTIONS[action]} of this training, the first on ${first}.`,
  planned: (count: number) =>
    `${runs(count)} ${plural(count, 'is', 'are')} already planned and ${plural(count, 'stays', 'stay')} unchanged.`,
  outside: (count: number, window: string) =>
    `${runs(count)} ${plural(count, 'starts', 'start')} the machines outside the access window of learners, ${window}.`,
  inside: (count: number, window: string) =>
    `${runs(count)} ${plural(count, 'stops', 'stop')} the machines inside the access window of learners, ${window}.`,
  end: (count: number, end: string) =>
    `${runs(count)} ${plural(count, 'is', 'are')} after the end of the training, ${end}.`,
} as const

export const CLOCK_NOTES = {
  skipped: (time: string) => `Clocks skip ${time} on that day. The run starts when they go forward.`,
  twice: (time: string) => `Clocks go back on that day and show ${time} twice. The run starts the first time.`,
} as const
