import type { CsvRows } from '#src/ui/csv.ts'
import type { Outcome } from './create-all.ts'
import type { Entry, Plan, Refused } from './plan.ts'

/** The results of a list, counted and listed. */
export interface Report {
  readonly made: number
  /** The part of `made` that an earlier run of the list made. */
  readonly madeBefore: number
  readonly there: readonly Refused[]
  readonly failed: readonly Refused[]
  readonly undone: readonly Refused[]
}

export function reportOf({ good, there }: Plan, outcomes: ReadonlyMap<number, Outcome>): Report {
  const before = new Set(there.map(({ line }) => line))
  const all = [...good, ...there].toSorted((a, b) => a.line - b.line)
  const of = (kind: Outcome['kind']) => all.filter(({ line }) => outcomes.get(line)?.kind === kind)
  const withReason = (entry: Entry): Refused => {
    const outcome = outcomes.get(entry.line)
    return {
      row: rowOf(entry),
      reason: outcome === undefined ? 'Not done yet.' : outcome.kind === 'made' ? '' : outcome.reason,
    }
  }
  return {
    made: of('made').length,
    madeBefore: of('made').filter(({ line }) => before.has(line)).length,
    there: of('there').map(withReason),
    failed: of('failed').map(withReason),
    undone: all.filter(({ line }) => !outcomes.has(line)).map(withReason),
  }
}

const rowOf = ({ line, user }: Entry): Refused['row'] => ({
  line,
  username: user.username,
  personalEmail: user.personalEmail,
  duration: String(user.duration),
  problem: null,
})

/** Returns the rows of a file that can be corrected and chosen again: the columns that are read come first. */
export const refusedRows = (refused: readonly Refused[]): CsvRows => [
  ['username', 'personalEmail', 'duration', 'line', 'reason'],
  ...refused.map(({ row, reason }) => [row.username, row.personalEmail, row.duration, row.line, reason]),
]
