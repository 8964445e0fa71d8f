import type { GuideQuestion } from '../format/schema.ts'

const isSame = (a: readonly number[], b: readonly number[]) =>
  a.length === b.length && a.every((value) => b.includes(value)) && new Set(a).size === a.length

/** Returns true for a correct answer. Texts are compared without case and outer blanks. */
export function isCorrect({ kind, answer, tolerance = 0 }: GuideQuestion, given: readonly number[] | string): boolean {
  if (typeof given !== 'string') {
    if (kind === 'one') return given.length === 1 && given[0] === answer
    return kind === 'many' && isSame(given, answer as number[])
  }
  if (kind === 'number') {
    const value = given.trim() === '' ? Number.NaN : Number(given.trim().replace(',', '.'))
    return Math.abs(value - (answer as number)) <= tolerance
  }
  if (kind !== 'text') return false
  const text = given.trim().toLowerCase()
  return (answer as string[]).some((accepted) => accepted.trim().toLowerCase() === text)
}
