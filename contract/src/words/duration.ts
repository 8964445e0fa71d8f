import type { Branded } from './ids.ts'

/** Whole minutes. Quotas and allotted hours use this unit on the wire. */
export type Minutes = Branded<number, 'minutes'>

export const minutesOfHours = (hours: number): Minutes => Math.round(hours * 60) as Minutes

/** Converts minutes to hours for display, with at most two decimals: 90 is 1.5. */
export const hoursOfMinutes = (minutes: number): number => Math.round((minutes / 60) * 100) / 100
