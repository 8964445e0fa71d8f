import type { Branded } from './ids.ts'

/** Whole minutes: how quotas and allotted hours travel. */
export type Minutes = Branded<number, 'minutes'>

export const minutesOfHours = (hours: number): Minutes => Math.round(hours * 60) as Minutes

/** Hours to show for minutes, two decimals at most: 90 is 1.5. */
export const hoursOfMinutes = (minutes: number): number => Math.round((minutes / 60) * 100) / 100
