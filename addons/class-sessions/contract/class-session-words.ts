/** A change or cancellation of one session, or of it and all following sessions of its weekly class. */
export const CLASS_SESSION_SCOPES = ['one', 'following'] as const
export type ClassSessionScope = (typeof CLASS_SESSION_SCOPES)[number]

/** `none`: the row was deleted, or never existed because its time had passed. */
export const ROW_STATES = ['none', 'pending', 'done', 'missed'] as const
export type RowState = (typeof ROW_STATES)[number]

export const EVENT_KINDS = ['Start', 'Stop', 'Ready'] as const

/** Kinds of conflicts. `overlap` and `opposite` prevent saving. */
export const CLASS_SESSION_CONFLICT_KINDS = ['overlap', 'opposite', 'soon', 'clocks', 'window', 'hours', 'end'] as const
export type ClassSessionConflictKind = (typeof CLASS_SESSION_CONFLICT_KINDS)[number]

/** Maximum number of sessions of a weekly class: one a day for a year. */
export const CLASS_SESSIONS_MAX = 366
export const HOLIDAYS_MAX = 400
/** Days that one list of sessions spans. */
export const CLASS_SESSION_DAYS_MAX = 62

const sessions = (count: number): string => (count === 1 ? 'One session' : `${count} sessions`)
const plural = (count: number, one: string, many: string): string => (count === 1 ? one : many)

/** Sentences about conflicts of sessions. Dates have the form DD/MM/YYYY. */
export const CLASS_SESSION_CONFLICTS = {
  overlap: (count: number, first: string) =>
    `${sessions(count)} ${plural(count, 'overlaps', 'overlap')} another session of this training, the first on ${first}.`,
  opposite: (count: number, first: string) =>
    `${sessions(count)} ${plural(count, 'starts or stops', 'start or stop')} in the same minute as an opposite event of this training, the first on ${first}.`,
  soon: (minutes: number) =>
    `The first session starts too soon to prepare the machines, which takes about ${minutes} minutes. The machines are started when the session begins.`,
  clocks: (count: number) =>
    `${sessions(count)} ${plural(count, 'is', 'are')} left out, because the clocks skip all of ${plural(count, 'its', 'their')} time.`,
  window: (before: string, after: string) => `The access window of learners changes from ${before} to ${after}.`,
  hours: (machines: number, hours: string) =>
    `${machines === 1 ? 'One machine has' : `${machines} machines have`} fewer allocated hours left than these sessions take (${hours} hours) and will stop early.`,
  end: (count: number, end: string) =>
    `${sessions(count)} ${plural(count, 'is', 'are')} after the end of the training, ${end}.`,
} as const
