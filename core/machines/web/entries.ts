import { EMAIL_LENGTH, ENDS_ENTRY, normaliseEmail, plainEmail } from '@trainyard/platform/contract/words/email.ts'
import { NO_ADDRESS, readRoster, type Learner, type RosterProblem } from '../contract/learner-list.ts'
import { countOf } from '@trainyard/platform/web/ui/count-of.ts'

export interface Entry {
  /** The address, or invalid typed text. */
  readonly email: string
  readonly name: string | null
  /**
   * True for typed entries, which the specification's stricter pattern checks. The general e-mail rule checks roster
   * entries.
   */
  readonly isTyped: boolean
  /**
   * Typed word that is not an address, with the comma after it, if another word may follow. It becomes part of the name
   * if an address in angle brackets follows.
   */
  readonly word?: string
}

export interface RosterRow extends RosterProblem {
  readonly key: number
}

/** Learners of an order. A typed entry that is invalid is excluded; a row of a roster is corrected or left out. */
export interface Entries {
  /** In order and distinct by e-mail. */
  readonly all: readonly Entry[]
  /** Rows of pasted rosters that are not learners yet. */
  readonly rows: readonly RosterRow[]
  /** Addresses of rosters that appeared more than once. */
  readonly repeated: number
  readonly unusedColumns: readonly string[]
  /** A pasted roster whose column of addresses the user must choose */
  readonly inDoubt: {
    readonly text: string
    readonly columns: readonly string[]
    readonly chosen: readonly string[]
  } | null
}

export const NO_ENTRIES: Entries = { all: [], rows: [], repeated: 0, unusedColumns: [], inDoubt: null }

/** Pattern of the specification, which is stricter than the rule for e-mail addresses. */
const ENTRY_PATTERN = /^[A-Za-z0-9._-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,8}[A-Za-z]{2,6}$/

export const isValidEntry = ({ email, isTyped }: Entry): boolean =>
  !isTyped || (email.length <= EMAIL_LENGTH && ENTRY_PATTERN.test(email))

/** Typed text up to the next white space or commas, and these. */
const TYPED_WORD = new RegExp(`((?:(?!${ENDS_ENTRY.source}).)+)(${ENDS_ENTRY.source}*)`, 'gs')

/** Matches an address in angle brackets, with or without a name before them, and a semicolon of a mail program. */
const IN_BRACKETS = /<[^<>]*@[^<>]*>?;?$/

/** Adds typed text, split on white space and commas. Words before an address in angle brackets become its name. */
export const addTyped = (entries: Entries, typed: string): Entries =>
  [...plainEmail(typed).matchAll(TYPED_WORD)].reduce(
    (now, [whole, text]) =>
      IN_BRACKETS.test(text!)
        ? addNamed(now, text!.replace(/;$/, ''))
        : merge(now, [
            {
              email: normaliseEmail(text!),
              name: null,
              isTyped: true,
              ...(whole !== text && !text!.includes('@') && { word: whole.trimEnd() }),
            },
          ]),
    entries,
  )

function addNamed(entries: Entries, text: string): Entries {
  const { all } = entries
  const words = all.slice(all.findLastIndex(({ word }) => word === undefined) + 1)
  const { people, problems } = readRoster([...words.map(({ word }) => word), text].join(' '))
  const [person, ...others] = people
  if (person === undefined || others.length > 0 || problems.length > 0)
    return merge(entries, [
      { email: normaliseEmail(text.replace(/^.*</, '').replace('>', '')), name: null, isTyped: true },
    ])
  const { email, name } = person
  return merge({ ...entries, all: all.slice(0, all.length - words.length) }, [{ email, name, isTyped: true }])
}

/** Adds the learners of a pasted list or a file. @param chosen the user's choices of columns of addresses */
export function addRoster(entries: Entries, text: string, chosen: readonly string[] = []): Entries {
  const { people, problems, repeated, unusedColumns, addressColumns } = readRoster(text, chosen)
  if (addressColumns.length > 0) return { ...entries, inDoubt: { text, columns: addressColumns, chosen } }
  const key = Math.max(0, ...entries.rows.map((row) => row.key)) + 1
  const { all } = merge(entries, people.map(learnerEntry))
  return {
    all,
    rows: [...entries.rows, ...problems.map((problem, place) => ({ ...problem, key: key + place }))],
    repeated: entries.repeated + repeated.length,
    unusedColumns: [...new Set([...entries.unusedColumns, ...unusedColumns])],
    // A list that waits for the user's choice stays when another list is added.
    inDoubt: chosen.length === 0 ? entries.inDoubt : null,
  }
}

/**
 * Replaces a row by the learners in its corrected text. Returns the row with the new reason if the text contains no
 * learner.
 */
export function correctRow(entries: Entries, key: number, text: string): Entries {
  const { people, problems } = readRoster(text)
  const rows = entries.rows.flatMap((row) => {
    if (row.key !== key) return [row]
    if (problems.length === 0 && people.length > 0) return []
    return [{ ...row, text, reason: problems[0]?.reason ?? NO_ADDRESS }]
  })
  return rows.length === entries.rows.length
    ? { ...entries, rows }
    : { ...merge(entries, people.map(learnerEntry)), rows }
}

const learnerEntry = ({ email, name }: Learner): Entry => ({ email, name, isTyped: false })

/** Adds entries. An entry that is already present gets the name, and counts as part of the roster. */
function merge(entries: Entries, added: readonly Entry[]): Entries {
  const all = new Map(entries.all.map((entry) => [entry.email, entry]))
  for (const entry of added) {
    const before = all.get(entry.email)
    all.set(
      entry.email,
      before === undefined
        ? entry
        : { ...before, name: before.name ?? entry.name, isTyped: before.isTyped && entry.isTyped },
    )
  }
  return { ...entries, all: [...all.values()] }
}

export const leaveOutRows = (entries: Entries, keys: readonly number[]): Entries => ({
  ...entries,
  rows: entries.rows.filter(({ key }) => !keys.includes(key)),
})

export const removeEntries = (entries: Entries, emails: readonly string[]): Entries => ({
  ...entries,
  all: entries.all.filter(({ email }) => !emails.includes(email)),
})

export const removeInvalid = (entries: Entries): Entries => ({ ...entries, all: entries.all.filter(isValidEntry) })

export const invalidOf = ({ all }: Entries): Entry[] => all.filter((entry) => !isValidEntry(entry))

export const validOf = ({ all }: Entries): Entry[] => all.filter(isValidEntry)

/** Describes the entries, such as "58 learners, 2 rows without an address (line 7, 31), 3 already have a machine". */
export function describeEntries(entries: Entries, having: number): string {
  const valid = validOf(entries).length
  const invalid = entries.all.length - valid
  const isRoster = entries.rows.length > 0 || entries.all.some(({ isTyped }) => !isTyped)
  const withoutAddress = entries.rows.filter(({ reason }) => reason === NO_ADDRESS)
  const others = entries.rows.filter(({ reason }) => reason !== NO_ADDRESS)
  // The number of its line says nothing about the only row.
  const isOnly = entries.rows.length === 1 && entries.all.length === 0
  const linesIn = (rows: readonly RosterRow[]) => (isOnly ? '' : ` (${linesOf(rows)})`)
  return [
    countOf(valid, isRoster ? 'learner' : 'e-mail'),
    ...(invalid > 0 ? [`${invalid} invalid and ignored`] : []),
    ...(withoutAddress.length > 0
      ? [`${countOf(withoutAddress.length, 'row')} without an address${linesIn(withoutAddress)}`]
      : []),
    ...(others.length > 0 ? [`${countOf(others.length, 'row')} to correct${linesIn(others)}`] : []),
    ...(entries.repeated > 0 ? [`${countOf(entries.repeated, 'repetition')} of an address`] : []),
    ...(having > 0 ? [`${having} already ${having === 1 ? 'has' : 'have'} a machine`] : []),
  ].join(', ')
}

const LINES_NAMED = 12

function linesOf(rows: readonly RosterRow[]): string {
  const lines = [...new Set(rows.map(({ line }) => line))]
  const hiddenCount = lines.length - LINES_NAMED
  return `line ${lines.slice(0, LINES_NAMED).join(', ')}${hiddenCount > 0 ? ` and ${hiddenCount} more` : ''}`
}
