import type { Branded } from './ids.ts'

/** Whole minutes. */
export type Minutes = Branded<number, 'minutes'>

export const minutesOfHours = (hours: number): Minutes => Math.round(hours * 60) as Minutes

export const hoursOfMinutes = (minutes: number): number => Math.round((minutes / 60) * 100) / 100

export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds)
  if (whole < 120) return `${whole} s`
  const [minutes, rest] = [Math.floor(whole / 60), whole % 60]
  return rest === 0 || minutes >= 10 ? `${Math.round(whole / 60)} min` : `${minutes} min ${rest} s`
}
