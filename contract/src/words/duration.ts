import type { Branded } from './ids.ts'

/** Whole minutes. */
export type Minutes = Branded<number, 'minutes'>

export const minutesOfHours = (hours: number): Minutes => Math.round(hours * 60) as Minutes

export const hoursOfMinutes = (minutes: number): number => Math.round((minutes / 60) * 100) / 100
