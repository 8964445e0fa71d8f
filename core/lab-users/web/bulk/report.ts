import type { CsvRows } from '@trainyard/platform/contract/words/csv.ts'
import type { Outcome } from './create-all.ts'
import type { Entry, Plan, Refused } from './plan.ts'

export interface Report {
  readonly created: number
  readonly createdEarlier: number
  readonly existing: readonly Refused[]
  readonly failed: readonly Refused[]
  readonly pending: readonly Refused[]
}

export function reportOf({ valid, existing }: Plan, outcomes: ReadonlyMap<number, Outcome>): Report {
  const before = new Set(existing.map(({ line }) => line))
  const all = [...valid, ...existing].toSorted((a, b) => a.line - b.line)
  const withOutcome = (kind: Outcome['kind']) => all.filter(({ line }) => outcomes.get(line)?.kind === kind)
  const withReason = (entry: Entry): Refused => {
    const outcome = outcomes.get(entry.line)
    return {
      row: rowOf(entry),
      reason: outcome === undefined ? 'Not processed yet.' : outcome.kind === 'created' ? '' : outcome.reason,
    }
  }
  return {
    created: withOutcome('created').length,
    createdEarlier: withOutcome('created').filter(({ line }) => before.has(line)).length,
    existing: withOutcome('existing').map(withReason),
    failed: withOutcome('failed').map(withReason),
    pending: all.filter(({ line }) => !outcomes.has(line)).map(withReason),
  }
}

const rowOf = ({ line, user }: Entry): Refused['row'] => ({
  line,
  username: user.username,
  personalEmail: user.personalEmail,
  duration: String(user.duration),
  problem: null,
})

/** Returns a table that can be corrected and imported again: the imported columns come first. */
export const refusedRows = (refusals: readonly Refused[]): CsvRows => [
  ['username', 'personalEmail', 'duration', 'line', 'reason'],
  ...refusals.map(({ row, reason }) => [row.username, row.personalEmail, row.duration, row.line, reason]),
]
