import { isEmail, normaliseEmail } from '@trainyard/platform/contract/words/email.ts'
import { LAB_USERNAME_LENGTH, LAB_USERNAME_PATTERN } from '../../contract/sandbox-words.ts'
import { SANDBOX_DAYS_MAX } from '@trainyard/platform/contract/words/limits.ts'
import { daysOf, type LabUser, type NewLabUser } from '../lab-users.ts'
import type { CsvRow } from './read-csv.ts'

export interface Entry {
  readonly line: number
  readonly user: NewLabUser
}

export interface Refused {
  readonly row: CsvRow
  readonly reason: string
}

export interface Plan {
  readonly valid: readonly Entry[]
  readonly invalid: readonly Refused[]
  /** Rows whose username exists already, because of an earlier run of this file or for another reason. */
  readonly existing: readonly (Refused & Entry)[]
  readonly needsDays: boolean
}

/** @param days duration for rows without a duration */
export function planOf(rows: readonly CsvRow[], days: number, users: readonly LabUser[]): Plan {
  const usersByName = new Map(users.map((user) => [usernameIn(user.email), user]))
  const firstLine = new Map<string, number>()
  const valid: Entry[] = []
  const invalid: Refused[] = []
  const existing: (Refused & Entry)[] = []
  for (const row of rows) {
    const name = row.username.toLowerCase()
    const reasons = row.problem === null ? problemsOf(row) : [row.problem]
    const before = firstLine.get(name)
    if (before !== undefined) reasons.push(`The username is already used in line ${before}.`)
    else if (name !== '' && row.problem === null) firstLine.set(name, row.line)
    const existingUser = usersByName.get(name)
    const ending = existingUser?.status === 'Ending'
    if (ending)
      reasons.push(`The user ${existingUser.email} is still being deleted. Please try again in a few minutes.`)
    if (reasons.length > 0) {
      invalid.push({ row, reason: reasons.join(' ') })
      continue
    }
    const duration = row.duration === null ? days : daysOf(row.duration, SANDBOX_DAYS_MAX)!
    const user = { username: row.username, personalEmail: normaliseEmail(row.personalEmail), duration }
    if (existingUser === undefined) valid.push({ line: row.line, user })
    else existing.push({ line: row.line, user, row, reason: `The user ${existingUser.email} already exists.` })
  }
  const needsDays = rows.some(({ problem, duration }) => problem === null && duration === null)
  return { valid, invalid, existing, needsDays }
}

export const usernameIn = (email: string): string => email.split('@', 1)[0]!.toLowerCase()

function problemsOf({ username, personalEmail, duration }: CsvRow): string[] {
  const problems: string[] = []
  if (username === '') problems.push('The username is missing.')
  else if (username.length > LAB_USERNAME_LENGTH) {
    problems.push(`The username is longer than ${LAB_USERNAME_LENGTH} characters.`)
  } else if (/[^A-Za-z0-9._-]/.test(username)) {
    problems.push('The username may contain only letters, digits, dots, underscores and hyphens.')
  } else if (!LAB_USERNAME_PATTERN.test(username)) {
    problems.push('The username must begin and end with a letter or a digit.')
  }
  if (personalEmail === '') problems.push('The personal email is missing.')
  else if (!isEmail(personalEmail)) problems.push('The personal email is not a valid e-mail address.')
  if (duration !== null && daysOf(duration, SANDBOX_DAYS_MAX) === null) {
    problems.push(`The duration is not a whole number from 1 to ${SANDBOX_DAYS_MAX}.`)
  }
  return problems
}
