import { isEmail, normaliseEmail } from '@trainyard/contract/words/email.ts'
import { LAB_USERNAME_LENGTH, LAB_USERNAME_PATTERN } from '@trainyard/contract/words/sandbox.ts'
import { SANDBOX_DAYS_MAX } from '@trainyard/contract/words/limits.ts'
import { daysOf, type LabUser, type NewLabUser } from '../lab-users.ts'
import type { CsvRow } from './read-csv.ts'

/** A user to be made, and the line that asks for it. */
export interface Entry {
  readonly line: number
  readonly user: NewLabUser
}

/** A row that is left out or failed, with the reason. */
export interface Refused {
  readonly row: CsvRow
  readonly reason: string
}

/** The plan for each row, before anything is done. */
export interface Plan {
  readonly good: readonly Entry[]
  readonly bad: readonly Refused[]
  /** Rows whose username exists already: made by an earlier run of the list, or by somebody else. */
  readonly there: readonly (Refused & Entry)[]
  /** True where a row needs the duration for all. */
  readonly needsDays: boolean
}

/**
 * @param days the duration of rows that have none of their own
 * @param users the existing users
 */
export function planOf(rows: readonly CsvRow[], days: number, users: readonly LabUser[]): Plan {
  const existing = new Map(users.map((user) => [usernameIn(user.email), user]))
  const firstLine = new Map<string, number>()
  const good: Entry[] = []
  const bad: Refused[] = []
  const there: (Refused & Entry)[] = []
  for (const row of rows) {
    const name = row.username.toLowerCase()
    const reasons = row.problem === null ? problemsOf(row) : [row.problem]
    const before = firstLine.get(name)
    if (before !== undefined) reasons.push(`The username stands in line ${before} already.`)
    else if (name !== '' && row.problem === null) firstLine.set(name, row.line)
    const present = existing.get(name)
    const ending = present?.status === 'Ending'
    if (ending) reasons.push(`The user ${present.email} is still being ended. Please try again in a few minutes.`)
    if (reasons.length > 0) {
      bad.push({ row, reason: reasons.join(' ') })
      continue
    }
    const duration = row.duration === null ? days : daysOf(row.duration, SANDBOX_DAYS_MAX)!
    const user = { username: row.username, personalEmail: normaliseEmail(row.personalEmail), duration }
    if (present === undefined) good.push({ line: row.line, user })
    else there.push({ line: row.line, user, row, reason: `The user ${present.email} exists already.` })
  }
  const needsDays = rows.some(({ problem, duration }) => problem === null && duration === null)
  return { good, bad, there, needsDays }
}

/** Returns the part of a lab user's address before the @: the username that they were added by. */
export const usernameIn = (email: string): string => email.split('@', 1)[0]!.toLowerCase()

function problemsOf({ username, personalEmail, duration }: CsvRow): string[] {
  const problems: string[] = []
  if (username === '') problems.push('The username is missing.')
  else if (username.length > LAB_USERNAME_LENGTH) {
    problems.push(`The username is longer than ${LAB_USERNAME_LENGTH} characters.`)
  } else if (/[^A-Za-z0-9._-]/.test(username)) {
    problems.push('The username may hold only letters, digits, dots, underscores and hyphens.')
  } else if (!LAB_USERNAME_PATTERN.test(username)) {
    problems.push('The username must begin and end with a letter or a digit.')
  }
  if (personalEmail === '') problems.push('The personal email is missing.')
  else if (!isEmail(personalEmail)) problems.push('The personal email is no e-mail address.')
  if (duration !== null && daysOf(duration, SANDBOX_DAYS_MAX) === null) {
    problems.push(`The duration is no whole number from 1 to ${SANDBOX_DAYS_MAX}.`)
  }
  return problems
}
