import { stringify } from 'safe-stable-stringify'
import { newName } from '@trainyard/platform/contract/shapes.ts'
import { IDLE_STOP_MINUTES_MAX, IDLE_STOP_MINUTES_MIN } from '@trainyard/trainings/contract/training-words.ts'
import { formatWeekdays } from '@trainyard/platform/contract/words/weekdays.ts'
import { type PortalRule, problemOf, rulesOf } from './rules.ts'
import type { SourceLab, SourceUser } from './source.ts'
import { ianaZone } from './zones.ts'

/** The desired state of a lab in the portal. */
export interface Target {
  readonly trainingName: string
  readonly idleStopMinutes: number | null
  /** Allotted minutes by e-mail, or null for no limit. */
  readonly learners: Readonly<Record<string, number | null>>
  readonly schedules: Readonly<Record<string, readonly PortalRule[]>>
}

/**
 * Result of an import, with the IDs of the rows that the import created. The next import compares this result with the
 * source and the portal.
 */
export interface Applied extends Omit<Target, 'schedules' | 'trainingName'> {
  readonly madeTraining: boolean
  /** Idle stop of the training before the first import. A rollback restores this value. */
  readonly idleBefore: number | null
  readonly schedules: Readonly<Record<string, AppliedSchedule>>
}

export interface AppliedSchedule {
  readonly rules: readonly PortalRule[]
  /** IDs of the rows that were created from the rules. */
  readonly weekly: readonly string[]
  readonly single: readonly string[]
}

export function targetOf(lab: SourceLab, usageComesAlong: boolean, now: Date): Target {
  return {
    trainingName: nameFor(lab),
    idleStopMinutes: idleStopOf(lab),
    learners: Object.fromEntries(lab.users.map((user) => [user.email, allotted(lab, user, usageComesAlong)])),
    schedules: Object.fromEntries(
      lab.schedules.flatMap((schedule) => {
        const zone = ianaZone(schedule.timeZone)
        return zone === null || problemOf(schedule, now) !== null ? [] : [[schedule.key, rulesOf(schedule, zone, now)]]
      }),
    ),
  }
}

/** Returns the title as a valid name, because titles of Lab Services allow more characters. */
function nameFor({ title, name }: SourceLab): string {
  const candidates = [title, name].flatMap((text) => [
    text,
    text
      .normalize('NFC')
      .replace(/[^\S ]+|\s{2,}/g, ' ')
      .replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, '')
      .trim()
      .slice(0, 100)
      .trim(),
  ])
  return candidates.find((text) => newName.safeParse(text).success) ?? 'Lab'
}

function idleStopOf({ idle }: SourceLab): number | null {
  if (idle === null) return null
  return Math.min(IDLE_STOP_MINUTES_MAX, Math.max(IDLE_STOP_MINUTES_MIN, idle.minutes))
}

/**
 * Returns the minutes that a learner may use the machine in the portal; null for no limit. Lab Services counts only
 * time outside schedules, while the portal also counts scheduled time. Therefore a lab without a quota, which can be
 * used only during its schedules, gets no limit.
 */
function allotted({ quotaMinutes }: SourceLab, user: SourceUser, usageComesAlong: boolean): number | null {
  const totalMinutes = quotaMinutes + user.extraMinutes
  if (totalMinutes === 0) return null
  return Math.max(1, totalMinutes - (usageComesAlong ? user.usedMinutes : 0))
}

/** Compares values independently of the order of their fields, because the database does not retain the order. */
export const equal = (a: unknown, b: unknown): boolean => stringify(a) === stringify(b)

export const hoursText = (minutes: number | null): string =>
  minutes === null ? 'no limit' : `${Math.round((minutes / 60) * 100) / 100} h`

export const idleText = (minutes: number | null): string =>
  minutes === null ? 'never' : `after ${minutes} minutes without use`

const ACTION = { Start: 'Power On', Stop: 'Shut Down' } as const

export function rulesText(rules: readonly PortalRule[]): string {
  return rules
    .map(({ action, time, timeZone, weekly, dates }) => {
      const when =
        weekly === null
          ? dates.length === 1
            ? `on ${dates[0]}`
            : `on ${dates.length} days from ${dates[0] ?? '-'} to ${dates.at(-1) ?? '-'}`
          : `${formatWeekdays(weekly.weekdays)}, ${weekly.from} to ${weekly.until}`
      return `${ACTION[action]} at ${time} ${when} (${timeZone})`
    })
    .join('; ')
}
