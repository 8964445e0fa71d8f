import { INVISIBLE } from '@trainyard/platform/contract/words/comparison-key.ts'
import type { DelimitedRecord } from '@trainyard/platform/contract/words/delimited.ts'
import { EMAIL_LENGTH, isEmail, normaliseEmail, plainEmail } from '@trainyard/platform/contract/words/email.ts'
import { NAME_LENGTH } from '@trainyard/platform/contract/words/limits.ts'
import { readTable } from '@trainyard/platform/contract/words/table.ts'

export interface Learner {
  readonly email: string
  readonly name: string | null
}

interface RosterPerson extends Learner {
  readonly line: number
}

/** A piece of the text of a roster that cannot be read as a learner. The user corrects it or leaves it out. */
export interface RosterProblem {
  readonly line: number
  readonly text: string
  readonly reason: string
}

export interface Roster {
  /** Distinct by address, in the roster's order. */
  readonly people: readonly RosterPerson[]
  readonly problems: readonly RosterProblem[]
  /** Addresses that an earlier line has too. */
  readonly repeated: readonly { readonly line: number; readonly email: string }[]
  /** Headings, or numbers, of the columns that are neither name nor address. */
  readonly unusedColumns: readonly string[]
  /**
   * Columns that may all be the one of the learners' addresses; empty if there is no doubt. As long as the user has not
   * chosen one of them, the roster has no people.
   */
  readonly addressColumns: readonly string[]
}

export const ROSTER_LENGTH = 2_000_000

/**
 * Reads a list of learners as copied from a mail program, a spreadsheet or a file: addresses with or without names,
 * separated in any usual way, or a table with or without a header. Every part of the text is a person, a problem, a
 * repetition or in an unused column.
 *
 * @param chosen the user's choices among `addressColumns` of earlier readings, one for each table of the text
 */
export function readRoster(text: string, chosen: readonly string[] = []): Roster {
  const plain = plainText(text)
  const { header, rows } = readTable(plain, { headings: knownHeadings, isRow: hasAddressCells, isOneRow })
  if (header === null) return readWithoutHeader(rows, chosen)
  const all = [header, ...rows].toSorted((a, b) => a.line - b.line)
  return joined(sectionsOf(header, all).map((section) => readSection(section, chosen)))
}

type Found = Learner | Omit<RosterProblem, 'line'>

export const NO_ADDRESS = 'There is no e-mail address.'
const NO_MAILBOX = 'The sign-in name of a guest (#EXT#) is not an e-mail address.'
const ABOVE_HEADINGS = 'The line is above the headings and has other columns.'
/** Sign-in names of guests in Entra ID, such as asha_gmail.com#EXT#@school.onmicrosoft.com. */
const GUEST = /#ext#@/i
const MISQUOTED = 'A quotation mark is not closed or is in the wrong place.'

/** The contents of one section of a roster. */
interface Section {
  readonly found: readonly (Found & { readonly line: number })[]
  readonly unusedColumns: readonly string[]
  readonly addressColumns: readonly string[]
}

/** Joins the sections of a roster. The user first chooses for the first section in doubt. */
function joined(sections: readonly Section[]): Roster {
  const addressColumns = sections.find((section) => section.addressColumns.length > 0)?.addressColumns ?? []
  if (addressColumns.length > 0) return { people: [], problems: [], repeated: [], unusedColumns: [], addressColumns }
  const found = sections.flatMap((section) => section.found)
  return gather(found, [...new Set(sections.flatMap(({ unusedColumns }) => unusedColumns))])
}

function gather(found: Iterable<Found & { readonly line: number }>, unusedColumns: readonly string[]): Roster {
  const people = new Map<string, RosterPerson>()
  const problems: RosterProblem[] = []
  const repeated: { line: number; email: string }[] = []
  for (const each of found) {
    if ('reason' in each) {
      problems.push(each)
      continue
    }
    const { line, email, name } = each
    const before = people.get(email)
    if (before === undefined) people.set(email, { line, email, name })
    else {
      repeated.push({ line, email })
      if (before.name === null && name !== null) people.set(email, { ...before, name })
    }
  }
  return { people: [...people.values()], problems, repeated, unusedColumns, addressColumns: [] }
}

type Heading = 'email' | 'name' | 'first' | 'middle' | 'last'

const EMAIL_HEADINGS = /^(?:e?mails?|e?mail(?:id|ids|address|addresses|addr|adresse)|electronicmail|correo|ईमेल)$/
const HEADINGS: readonly (readonly [Heading, RegExp])[] = [
  ['first', /^(?:firstnames?|givennames?|forenames?|vorname|prénom|prenom|nombre)$/],
  ['middle', /^(?:middlenames?|middleinitial|additionalname)$/],
  ['last', /^(?:lastnames?|surnames?|familynames?|nachname|apellidos?)$/],
  ['email', EMAIL_HEADINGS],
  ['email', /e?mail(?!ing)|userprincipalname|^upn$/],
  [
    'name',
    // Zoom writes "Name (Original Name)", and the number of "Participants".
    /^(?:full|display|complete)?names?(?:original(?:name)?)?$|^(?:learner|student|participant|candidate|employee|trainee|attendee)s?(?:full)?names?$|^(?:(?:learner|student|candidate|trainee|attendee)s?|participant)$|^नाम$/,
  ],
]

/** How well the heading of a column with addresses fits the learners' own: the highest rank is read. */
const ADDRESS_RANKS: readonly (readonly [rank: number, pattern: RegExp])[] = [
  [4, /learner|student|participant|candidate|trainee|attendee|employee/],
  [
    1,
    /parent|guardian|father|mother|famil|manager|supervisor|boss|teacher|instructor|trainer|faculty|coach|host|owner|organi[sz]er|creator|sponsor|approver|assistant|spouse|emergency|invoice|billing|alternat|secondary|recovery|backup|other/,
  ],
  // The sign-in name of Entra ID, which need not have a mailbox.
  [2, /userprincipalname|^upn$/],
]
const RANK_OF_OTHERS = 1
const RANK_OF_SIGN_IN_NAME = 2
const RANK_OF_ANY = 3

function rankOf(heading: string): number {
  const plain = plainHeading(heading)
  return ADDRESS_RANKS.find(([, pattern]) => pattern.test(plain))?.[0] ?? RANK_OF_ANY
}

const plainHeading = (heading: string): string => heading.toLowerCase().replace(/[^\p{L}\p{M}]/gu, '')

function headingOf(heading: string): Heading | null {
  const plain = plainHeading(heading)
  return HEADINGS.find(([, pattern]) => pattern.test(plain))?.[0] ?? null
}

function knownHeadings(cells: readonly string[]): number {
  if (cells.some((cell) => cell.includes('@'))) return 0
  const filled = cells.filter((cell) => cell.trim() !== '')
  if (filled.length === 1 && !EMAIL_HEADINGS.test(plainHeading(filled[0]!))) return 0
  const known = filled.map(headingOf).filter((heading) => heading !== null)
  if (!known.includes('email')) return 0
  // A report may begin with a separate table about the meeting, which names its host, before the participants.
  return (
    known.length - filled.filter((cell) => headingOf(cell) === 'email' && rankOf(cell) === RANK_OF_OTHERS).length / 2
  )
}

interface Rows {
  readonly headings: readonly string[]
  readonly rows: readonly DelimitedRecord[]
  /** Rows above the first header */
  readonly above: readonly DelimitedRecord[]
}

/** Splits the records at each header, such as those of a meeting's participants and of its activities. */
function sectionsOf(best: DelimitedRecord, records: readonly DelimitedRecord[]): Rows[] {
  const isHeader = (record: DelimitedRecord) =>
    record === best || (record.cells.length !== best.cells.length && knownHeadings(record.cells) >= 2)
  const starts = records.flatMap((record, place) => (isHeader(record) ? [place] : []))
  return starts.map((start, turn) => ({
    headings: records[start]!.cells,
    rows: records.slice(start + 1, starts[turn + 1]),
    above: turn === 0 ? records.slice(0, start) : [],
  }))
}

const cellAt = ({ cells }: DelimitedRecord, place: number): string => (cells[place] ?? '').trim()

/** Returns a label for each column, distinct if headings repeat. */
const labelsOf = (headings: readonly string[]): string[] =>
  headings.map((cell, place) => {
    const heading = cell.trim()
    if (heading === '') return `column ${place + 1}`
    const isRepeated = headings.some((other, at) => at !== place && other.trim() === heading)
    return isRepeated ? `${heading} (column ${place + 1})` : heading
  })

/**
 * Returns the columns of addresses to read, the best first, or all that are equally good if the user has not chosen.
 */
function addressColumnsOf(
  headings: readonly string[],
  rows: readonly DelimitedRecord[],
  chosen: readonly string[],
): { readonly places: readonly number[]; readonly inDoubt: boolean } {
  const labels = labelsOf(headings)
  const all = headings.flatMap((cell, place) => (headingOf(cell) === 'email' ? [place] : []))
  const filled = all.filter((place) => rows.some((row) => cellAt(row, place).includes('@')))
  const candidates = filled.length === 0 ? all : filled
  const choice = candidates.find((place) => chosen.includes(labels[place]!))
  if (choice !== undefined) return { places: [choice], inDoubt: false }
  const rank = (place: number) => rankOf(headings[place]!)
  const highest = Math.max(...candidates.map(rank))
  const best = candidates.filter((place) => rank(place) === highest)
  const differ = rows.some((row) => new Set(best.map((place) => cellAt(row, place).toLowerCase())).size > 1)
  if (best.length > 1 && differ && filled.length > 0) return { places: best, inDoubt: true }
  // A person without a mailbox still has a sign-in name.
  const signInNames = candidates.filter((place) => rank(place) === RANK_OF_SIGN_IN_NAME && !best.includes(place))
  return { places: [best[0]!, ...signInNames], inDoubt: false }
}

function readSection({ headings, rows: below, above }: Rows, chosen: readonly string[]): Section {
  // Rows above the headings belong to them if they have the same columns.
  const rows = [...above.filter(({ cells }) => cells.length === headings.length), ...below]
  const columnsOf = (heading: Heading) =>
    headings.flatMap((cell, place) => (headingOf(cell) === heading ? [place] : []))
  const filled = (place: number) => rows.filter((row) => cellAt(row, place) !== '').length
  const { places, inDoubt } = addressColumnsOf(headings, rows, chosen)
  const labels = labelsOf(headings)
  if (inDoubt) return { found: [], unusedColumns: [], addressColumns: places.map((place) => labels[place]!) }
  const emailAt = places[0]!
  const nameAt = columnsOf('name').find((place) => filled(place) > 0)
  const partsAt = (['first', 'middle', 'last'] as const).flatMap((part) => columnsOf(part).slice(0, 1))
  const used = new Set([...places, nameAt, ...partsAt])
  const unused = labels.filter((_, place) => !used.has(place) && filled(place) > 0)
  const readRow = (record: DelimitedRecord): Found[] => {
    const { cells, text, problem } = record
    if (problem !== null) return [{ text, reason: MISQUOTED }]
    const addressAt = places.find((place) => cellAt(record, place) !== '') ?? emailAt
    const found = addressesIn(cells[addressAt] ?? '')
    if (!found.some((each) => 'email' in each) && cells.length !== headings.length) {
      if (!cells.some((cell) => cell.includes('@'))) return [{ text, reason: NO_ADDRESS }]
      if (!hasAddressCell(cells)) return addressesIn(text)
      // A comma in an unquoted name shifts the cells after it.
      const shift = cells.length - headings.length
      const shifted = addressOf(cells[emailAt + shift] ?? '')
      const name = nameAt === undefined || nameAt > emailAt ? [] : cells.slice(nameAt, nameAt + shift + 1)
      if (shift > 0 && shifted !== null && name.every((cell) => NAME.test(cell.trim())))
        return [named(shifted, name.join(','), text)]
      return [{ text, reason: `The line has ${cells.length} columns, but there are ${headings.length} headings.` }]
    }
    if (found.length === 0) return [{ text, reason: NO_ADDRESS }]
    if (found.length > 1) return [{ text, reason: `There are ${found.length} e-mail addresses.` }]
    const [only] = found
    if ('reason' in only!) return [{ text, reason: only.reason }]
    if (GUEST.test(only!.email)) return [{ text, reason: NO_MAILBOX }]
    const whole = nameAt === undefined ? '' : cellAt(record, nameAt)
    const name = whole || partsAt.map((place) => cellAt(record, place)).join(' ')
    return [named(only!.email, name || only!.name, text)]
  }
  const found = (record: DelimitedRecord) => readRow(record).map((each) => ({ ...each, line: record.line }))
  const others = above.filter(({ cells }) => cells.length !== headings.length)
  const problems = others.map(({ text, line, cells }) => ({
    text,
    line,
    reason: cells.some((cell) => cell.includes('@')) ? ABOVE_HEADINGS : NO_ADDRESS,
  }))
  return { found: [...problems, ...rows.flatMap(found)], unusedColumns: unused, addressColumns: [] }
}

/**
 * Reads records without a header. Columns of addresses beside a column of names are in doubt, because they belong to
 * two people, such as a learner and a parent.
 */
function readWithoutHeader(rows: readonly DelimitedRecord[], chosen: readonly string[]): Roster {
  const places = rows.length < 2 ? [] : addressPlacesIn(rows)
  if (places.length < 2) return readList(rows)
  const labels = places.map((place) => `column ${place + 1} (${cellAt(rows[0]!, place)})`)
  const choice = places.find((_, at) => chosen.includes(labels[at]!))
  if (choice === undefined) return joined([{ found: [], unusedColumns: [], addressColumns: labels }])
  const isRead = (place: number) => place === choice || !places.includes(place)
  const list = readList(rows.map((row) => ({ ...row, cells: row.cells.map((cell, at) => (isRead(at) ? cell : '')) })))
  const unused = labels.filter((_, at) => places[at] !== choice)
  return { ...list, unusedColumns: [...list.unusedColumns, ...unused] }
}

/** Returns the places of the columns of addresses if all rows have the same columns, one of them with names. */
function addressPlacesIn(rows: readonly DelimitedRecord[]): number[] {
  const width = rows[0]!.cells.length
  if (rows.some(({ cells, problem }) => problem !== null || cells.length !== width)) return []
  const columns = Array.from({ length: width }, (_, place) =>
    rows.map((row) => cellAt(row, place)).filter((cell) => cell !== ''),
  )
  const isAll = (place: number, is: (cell: string) => boolean) =>
    columns[place]!.length > 0 && columns[place]!.every(is)
  const places = columns.flatMap((_, place) => (isAll(place, (cell) => addressOf(cell) !== null) ? [place] : []))
  return columns.some((_, place) => isAll(place, (cell) => NAME.test(cell))) ? places : []
}

function readList(rows: readonly DelimitedRecord[]): Roster {
  if (alternates(rows)) {
    const pairs = rows.flatMap(({ text, line }, place) =>
      place % 2 === 0 ? [] : [{ ...named(addressOf(text)!, rows[place - 1]!.text, text), line }],
    )
    return gather(pairs, [])
  }
  const inCells = rows.filter(({ cells, problem }) => problem === null && hasAddressCell(cells))
  const { nameAt, unused } = columnsIn(inCells.map(({ cells }) => cells))
  const isInCells = new Set(inCells)
  const readRow = (record: DelimitedRecord): Found[] => {
    const { cells, text, problem } = record
    if (problem !== null || !isInCells.has(record)) return addressesIn(text)
    return [named(onlyAddressIn(cells), nameAt.map((place) => (cells[place] ?? '').trim()).join(' '), text)]
  }
  return gather(
    rows.flatMap((record) => readRow(record).map((found) => ({ ...found, line: record.line }))),
    unused,
  )
}

/** True if each second line is an address and the line before it a name. */
const alternates = (rows: readonly DelimitedRecord[]): boolean =>
  rows.length > 1 &&
  rows.length % 2 === 0 &&
  rows.every(({ text }, place) => (place % 2 === 0 ? NAME.test(text.trim()) : addressOf(text) !== null))

/** True for a row with exactly one address, alone in its cell, and further cells. */
function hasAddressCell(cells: readonly string[]): boolean {
  const withAt = cells.filter((cell) => cell.includes('@'))
  return withAt.length === 1 && addressOf(withAt[0]!) !== null && cells.filter((cell) => cell.trim() !== '').length > 1
}

/** True for a row with a name and addresses that are each alone in their cells. */
function hasAddressCells(cells: readonly string[]): boolean {
  const withAt = cells.filter((cell) => cell.includes('@'))
  if (withAt.length < 2) return hasAddressCell(cells)
  return withAt.every((cell) => addressOf(cell) !== null) && cells.some((cell) => NAME.test(cell.trim()))
}

const onlyAddressIn = (cells: readonly string[]): string => cells.map(addressOf).find((email) => email !== null)!

/** False if a missing quote has joined several lines. */
const isOneRow = (cells: readonly string[]): boolean => !cells.some((cell) => cell.includes('\n') && cell.includes('@'))

/** Matches a text of alphabetic characters and the punctuation of names. */
const NAME = /^[\p{L}\p{M}](?:[\p{L}\p{M}\p{Zs}.,'’()-]|\u200C|\u200D)*$/u
const SHARE_OF_NAMES = 0.6

/** Returns the columns that contain names, and describes the others. */
function columnsIn(rows: readonly (readonly string[])[]): { nameAt: readonly number[]; unused: readonly string[] } {
  const width = Math.max(0, ...rows.map(({ length }) => length))
  const columns = Array.from({ length: width }, (_, place) => {
    const values = rows.map((cells) => (cells[place] ?? '').trim()).filter((value) => value !== '')
    const isAddress = values.filter((value) => value.includes('@')).length > values.length / 2
    const names = values.filter((value) => NAME.test(value) && value.length <= NAME_LENGTH)
    return {
      place,
      values,
      isAddress,
      isName: !isAddress && values.length >= rows.length / 2 && names.length >= values.length * SHARE_OF_NAMES,
      isDistinct: values.length < 3 || new Set(values).size > values.length * SHARE_OF_NAMES,
      isOneWord: values.filter((value) => !/\s/.test(value)).length > values.length / 2,
    }
  })
  const names = columns.filter(({ isName }) => isName)
  const addressAt = columns.findIndex(({ isAddress }) => isAddress)
  const first = names.find(({ isDistinct }) => isDistinct) ?? names[0]
  const second = first && names.find(({ place }) => place === first.place + 1)
  const isInParts = first?.isOneWord && second?.isOneWord && second.isDistinct
  const nameAt = first === undefined ? [] : isInParts ? [first.place, second.place] : [first.place]
  const unused = columns.filter(
    ({ place, values }) => values.length > 0 && place !== addressAt && !nameAt.includes(place),
  )
  return { nameAt, unused: unused.map(({ place, values }) => `column ${place + 1} (${values[0]!.slice(0, 20)})`) }
}

/** True if the last word has an at sign between other characters. */
function endsWithAddress(text: string): boolean {
  const word = text.trimEnd().split(/\s/).at(-1)!
  const at = word.indexOf('@', 1)
  return at > 0 && at < word.length - 1
}

/** Reads one line of addresses as mail programs write them. */
function addressesIn(line: string): Found[] {
  const text = line
    .replace(/\[mailto:([^[\]\s]*)\]/gi, '<$1>')
    .replace(/<mailto:[^<>]*>(?=\s*>)/gi, '')
    .replace(/<mailto:[^<>]*>/gi, (link: string, at: number, whole: string) =>
      endsWithAddress(whole.slice(Math.max(0, at - EMAIL_LENGTH), at)) ? '' : link,
    )
    .replace(/mailto:/gi, '')
    .replace(/^\s*(?:to|cc|bcc|from)\s*:/i, '')
    .replace(/^\s*(?:[-*•·–]|\d{1,4}[.)])\s+/, '')
  const pieces = piecesOf(text)
  const read = pieces.map(({ text: piece }) => entriesIn(piece))
  const found: Found[] = []
  const isNamed = (place: number) => read[place]?.length === 0
  const isBare = (place: number) => {
    const [only, ...others] = read[place] ?? []
    return only !== undefined && others.length === 0 && 'email' in only && only.name === null
  }
  // Names and addresses alternate, such as Asha, asha@x.test, Ravi, ravi@x.test or asha@x.test, Asha.
  if (pieces.length > 1 && pieces.length % 2 === 0) {
    for (const first of [0, 1]) {
      if (!pieces.every((_, place) => (place % 2 === first ? isNamed(place) : isBare(place)))) continue
      return pieces.flatMap((_, place) => {
        if (place % 2 === first) return []
        const { email } = read[place]![0] as Learner
        return [named(email, pieces[first === 0 ? place - 1 : place + 1]!.text, text)]
      })
    }
  }
  let names: string[] = []
  const giveUp = () => {
    if (names.length > 0) found.push({ text: names.join(', '), reason: NO_ADDRESS })
    names = []
  }
  for (const [place, entries] of read.entries()) {
    const { text: piece, isLast } = pieces[place]!
    if (entries.length === 0) {
      names.push(piece)
      if (isLast) giveUp()
      continue
    }
    const [first, ...others] = entries
    const isDisplayName = names.length > 0 && 'email' in first! && (first.name !== null || piece.includes('<'))
    if (isDisplayName) {
      const { email, name } = first
      found.push(named(email, [...names, ...(name === null ? [] : [name])].join(', '), piece))
      names = []
    } else {
      giveUp()
      found.push(first!)
    }
    found.push(...others)
  }
  giveUp()
  return found
}

interface Piece {
  readonly text: string
  /** True if the piece ends with a semicolon or a line end, which no name contains. */
  readonly isLast: boolean
}

const CLOSES: Readonly<Record<string, string>> = { '"': '"', '<': '>', '(': ')' }

/** Splits at commas, semicolons and line ends outside quotes and brackets. */
function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = []
  let start = 0
  let closing: string | null = null
  const cut = (end: number, isLast: boolean) => {
    const piece = text.slice(start, end).trim()
    if (piece !== '') pieces.push({ text: piece, isLast })
    start = end + 1
  }
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    if (closing !== null) {
      if (character === closing) closing = null
      continue
    }
    const close = CLOSES[character]
    if (close !== undefined && text.includes(close, at + 1)) closing = close
    else if (character === "'" && text.slice(start, at).trim() === '') {
      const end = /'[^'<>;]*'\s*</y
      end.lastIndex = at
      if (end.test(text)) at = text.indexOf("'", at + 1)
    } else if (character === ',') cut(at, false)
    else if (character === ';' || character === '\n') cut(at, true)
  }
  cut(text.length, true)
  return pieces
}

/** Returns the learners in a piece of the text, or none if nothing in it looks like an address. */
function entriesIn(piece: string): Found[] {
  const found: Found[] = []
  let left = piece
  for (;;) {
    const [whole, before, address] = /^([^<]*)<([^<>]*)>?/.exec(left) ?? []
    if (whole === undefined || !address!.includes('@')) return [...found, ...bareEntriesIn(left)]
    const rest = left.slice(whole.length).trim()
    // An address before the brackets is another learner, unless it repeats the one in them.
    const isOther = before!.includes('@') && addressOf(before!) !== addressOf(address!)
    const name = isOther ? '' : before!.trim() || (rest.includes('@') ? '' : rest)
    if (isOther) found.push(...bareEntriesIn(before!.trim()))
    found.push(checked(address!, name, left))
    left = rest
  }
}

function bareEntriesIn(piece: string): Found[] {
  const comment = piece.endsWith(')') ? piece.lastIndexOf('(') : -1
  const commented = piece.slice(0, Math.max(0, comment)).trimEnd()
  if (commented.includes('@') && !/\s/.test(commented) && piece.indexOf(')', comment) === piece.length - 1) {
    return [checked(commented, piece.slice(comment + 1, -1), piece)]
  }
  const words = piece.split(/\s+/)
  const addressAt = words.flatMap((word, place) => (word.includes('@') ? [place] : []))
  if (addressAt.length === 0) return []
  const nameIn = (from: number, to: number) => words.slice(from, to).join(' ')
  const isNameFirst = addressAt[0]! > 0
  return addressAt.map((at, turn) => {
    const name = isNameFirst
      ? nameIn(turn === 0 ? 0 : addressAt[turn - 1]! + 1, at)
      : nameIn(at + 1, addressAt[turn + 1] ?? words.length)
    return checked(words[at]!, name.replace(/^[-–:|]\s*|\s*[-–:|]$/g, ''), piece)
  })
}

function checked(address: string, name: string, text: string): Found {
  const email = addressOf(address)
  if (email !== null) return named(email, name, text)
  return { text, reason: `${trimmedAddress(address)} is not a valid e-mail address.` }
}

const trimmedAddress = (text: string): string =>
  trimmed(
    plainEmail(text)
      .trim()
      .replace(/^mailto:/i, ''),
    /[<>()[\]"'“”‘’.,;:|]/,
  )

/** Returns the address if the text is one and nothing else. */
function addressOf(text: string): string | null {
  const email = normaliseEmail(trimmedAddress(text))
  return isEmail(email) ? email : null
}

/**
 * Removes characters from both ends. A pattern with `+$` would take quadratic time for a long run of these characters
 * that is not at the end.
 */
function trimmed(text: string, characters: RegExp): string {
  let [start, end] = [0, text.length]
  while (start < end && characters.test(text[start]!)) start++
  while (end > start && characters.test(text[end - 1]!)) end--
  return text.slice(start, end)
}

const everyInvisible = new RegExp(INVISIBLE, 'gu')

/**
 * Returns the learner with a cleaned name, or why the name cannot be used. A name that repeats the address is dropped.
 */
function named(email: string, entered: string | null, text: string): Found {
  const visible = (entered ?? '').replace(/\p{Cc}/gu, ' ').replace(everyInvisible, '')
  const name = trimmed(visible, /[\s"'“”‘’,]/)
    .replace(/\\?""?/g, '')
    .replace(/\s+/g, ' ')
    .normalize('NFC')
    .trim()
  if (name === '' || normaliseEmail(name) === email) return { email, name: null }
  if (name.length > NAME_LENGTH) return { text, reason: `The name is longer than ${NAME_LENGTH} characters.` }
  return { email, name }
}

/** Returns the text with plain spaces, commas and semicolons, without characters that have no width. */
const plainText = (text: string): string =>
  text
    // Slack copies an address as a link with a label, which is the address or a name.
    .replace(/<mailto:([^<>|\s]{1,320})\|([^<>|]{0,320})>/gi, (_, address: string, label: string) =>
      label.includes('@') ? `<${address}>` : `${label} <${address}>`,
    )
    .replace(/[\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g, '')
    .replace(/[\u00A0\u2000-\u200A\u202F\u205F\u3000]/g, ' ')
    .replace(/[\v\f\u0085\u2028\u2029]/g, '\n')
    .replace(/[\u3001\uFE10\uFE50\uFF0C\uFF64]/g, ',')
    .replace(/[\uFE14\uFE54\uFF1B]/g, ';')
    .replaceAll('\uFF1C', '<')
    .replaceAll('\uFF1E', '>')
    .replaceAll('\uFF20', '@')
