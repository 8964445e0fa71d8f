import { Temporal } from 'temporal-polyfill'
import { day } from '@trainyard/platform/contract/shapes.ts'
import { readDelimited, unifyLineEnds } from '@trainyard/platform/contract/words/delimited.ts'
import { isEmail, normaliseEmail } from '@trainyard/platform/contract/words/email.ts'
import { readRoster } from '@trainyard/machines/contract/learner-list.ts'
import { weekdayOf } from './read-azure.ts'
import { sizeOf } from './size.ts'
import {
  minutesOf,
  type LocalTime,
  type SourceIdle,
  type SourceLab,
  type SourceSchedule,
  type SourceUser,
} from './source.ts'
import { ianaZone } from './zones.ts'

export interface LabFile {
  readonly name: string
  readonly csv: string
}

interface FileProblem {
  readonly file: string
  readonly line: number
  readonly reason: string
}

export interface FileResult {
  readonly labs: readonly SourceLab[]
  readonly problems: readonly FileProblem[]
}

/** Maximum number of machines of a lab in Lab Services. */
const MAX_USERS = 400
/** Limits of an upload. A schedule list is copied into each lab that refers to it. */
const MAX_LABS = 200
const MAX_SCHEDULES = 200
const MAX_SCHEDULES_OF_ALL = 2_000
const MAX_OWNERS = 20
/** Maximum lines of an e-mail list. The list may have a header, empty lines, and names on separate lines. */
const MAX_EMAIL_LINES = 1_000

/** Maximum characters of a record. A lab list contains the addresses of all users in one cell. */
const RECORD_CHARACTERS = 2_000
const LAB_RECORD_CHARACTERS = 20_000

interface Line {
  readonly line: number
  /** Cleaned cells by header in lower case. */
  readonly cells: ReadonlyMap<string, string>
  /** Number of cells that contain text but have no header. */
  readonly extra: number
}

interface Table {
  readonly file: string
  readonly headers: readonly string[]
  readonly lines: readonly Line[]
  readonly text: string
}

/** Reports a problem of a line. Returns null as the value that could not be read. */
type Report = (reason: string) => null

/**
 * Reads the CSV files of lab admins: a lab list, schedule lists, and lists of e-mails. The column Schedules of a lab
 * names its schedule list. An e-mail list has the same file name as its lab. Columns with passwords are ignored.
 */
export function readLabFiles(files: readonly LabFile[]): FileResult {
  const problems: FileProblem[] = []
  const tables: Table[] = []
  for (const file of files) {
    const read = readTable(file)
    if ('reason' in read) problems.push(read)
    else tables.push(read)
  }
  const report =
    (file: string, line: number): Report =>
    (reason) => {
      problems.push({ file, line, reason })
      return null
    }
  const isLabs = (table: Table) => table.headers.includes('labname')
  const isSchedules = (table: Table) => table.headers.includes('frequency')
  const schedules = new Map(
    tables.filter(isSchedules).map((table) => [baseName(table.file), schedulesIn(table, report)]),
  )
  const labs = new Map<string, SourceLab>()
  const labTables = tables.filter(isLabs)
  const tooLarge = excessOf(labTables, schedules)
  if (tooLarge !== null) {
    report(labTables[0]!.file, 1)(tooLarge)
    return { labs: [], problems }
  }
  if (labTables.length === 0 && problems.length === 0) {
    report(files[0]?.name ?? '', 1)('No file is a lab list: its first line must have a column LabName.')
  }
  if (problems.length === 0 && labTables.every(({ lines }) => lines.length === 0)) {
    report(labTables[0]!.file, 1)('The lab list has no labs.')
  }
  for (const table of labTables) {
    for (const line of table.lines) {
      const lab = labOf(line, report(table.file, line.line), schedules)
      if (lab === null) continue
      if (labs.has(lab.key)) report(table.file, line.line)(`The lab ${lab.name} is listed twice.`)
      labs.set(lab.key, lab)
    }
  }
  for (const table of labTables.length === 0 ? [] : tables.filter((each) => !isLabs(each) && !isSchedules(each))) {
    addUsers(table, labs, report)
  }
  return { labs: [...labs.values()], problems: problems.toSorted((a, b) => a.line - b.line) }
}

/**
 * Returns the reason why one upload cannot contain these lab lists; null if it can. The check runs before schedules are
 * copied.
 */
function excessOf(
  labTables: readonly Table[],
  schedules: ReadonlyMap<string, readonly SourceSchedule[]>,
): string | null {
  const lines = labTables.flatMap((table) => table.lines)
  if (lines.length > MAX_LABS) {
    return `There are ${lines.length} labs. Upload at most ${MAX_LABS} at a time.`
  }
  let count = 0
  for (const { cells } of lines) count += schedules.get(baseName(cells.get('schedules') ?? ''))?.length ?? 0
  return count > MAX_SCHEDULES_OF_ALL
    ? `The labs have ${count} schedules in total. Upload fewer labs at a time, with at most ${MAX_SCHEDULES_OF_ALL}.`
    : null
}

/**
 * Returns the name of a file in lower case, without folder and extension. Other files refer to the file by this name.
 */
const baseName = (file: string): string =>
  file
    .replace(/^.*[/\\]/, '')
    .replace(/\.[^.]*$/, '')
    .trim()
    .toLowerCase()

function readTable({ name: file, csv }: LabFile): Table | FileProblem {
  if (csv.includes('\uFFFD') || csv.includes('\u0000')) {
    return { file, line: 1, reason: 'The file is not UTF-8 text. Save it as CSV UTF-8.' }
  }
  const text = unifyLineEnds(csv.replace(/^\uFEFF/, ''))
  if (text.trim() === '') return { file, line: 1, reason: 'The file is empty.' }
  const records = readDelimited(text, { separator: separatorOf(text) })
  const longHead = tooLong(file, records.slice(0, 1), RECORD_CHARACTERS)
  if (longHead !== null) return longHead
  const headers = (records[0]?.cells ?? []).map((cell) => clean(cell).toLowerCase())
  if (!isKnownHead(headers)) {
    const lines = text.split('\n').map((line, index) => ({ line: index + 1, text: line }))
    return tooLong(file, lines, RECORD_CHARACTERS) ?? { file, headers: [], lines: [], text }
  }
  const long = tooLong(file, records, headers.includes('labname') ? LAB_RECORD_CHARACTERS : RECORD_CHARACTERS)
  if (long !== null) return long
  const damaged = records.find(({ problem }) => problem !== null)
  if (damaged !== undefined) {
    return { file, line: damaged.line, reason: 'A quotation mark is missing or misplaced.' }
  }
  const lines = records.slice(1).map(({ line, cells }) => ({
    line,
    cells: new Map(cells.map((cell, index) => [headers[index] ?? String(index), clean(cell)])),
    extra: cells.slice(headers.length).filter((cell) => clean(cell) !== '').length,
  }))
  return { file, headers, lines, text }
}

function tooLong(
  file: string,
  records: readonly { readonly line: number; readonly text: string }[],
  limit: number,
): FileProblem | null {
  const found = records.find(({ text }) => text.length > limit)
  if (found === undefined) return null
  const reason = `The line is longer than ${limit} characters. Put each lab, schedule or address on its own line.`
  return { file, line: found.line, reason }
}

/** Returns true for the header of a lab list or a schedule list. Every other file is an e-mail list. */
const isKnownHead = (headers: readonly string[]): boolean =>
  headers.includes('labname') || headers.includes('frequency')

/** Returns the most frequent of three possible separators in the first line. */
function separatorOf(text: string): string {
  const head = text.slice(0, text.search(/\r?\n|$/))
  const count = (sign: string) => head.split(sign).length
  return [',', ';', '\t'].toSorted((a, b) => count(b) - count(a))[0]!
}

/**
 * Removes blanks and quotation marks around the text of a cell, because Microsoft's samples have quotes within quotes.
 */
function clean(cell: string): string {
  const text = cell.trim()
  let [start, end] = [0, text.length]
  while (start < end && text[start] === '"') start++
  while (end > start && text[end - 1] === '"') end--
  return text.slice(start, end).trim()
}

function labOf(
  { cells, extra }: Line,
  report: Report,
  schedules: ReadonlyMap<string, readonly SourceSchedule[]>,
): SourceLab | null {
  const cell = (name: string): string => cells.get(name.toLowerCase()) ?? ''
  if (extra > 0) return report('The line has more columns than the first line.')
  const name = cell('LabName')
  if (name === '') return report('LabName is empty.')
  const size = cell('Size')
  if (size === '') return report('Size is empty.')
  if (sizeOf(size) === null) return report(`Size ${size} is not a size of Lab Services.`)
  const capacity = wholeNumber(cell('MaxUsers'))
  if (capacity === 'wrong' || (capacity ?? 0) > MAX_USERS) {
    return report(`MaxUsers must be a number up to ${MAX_USERS}.`)
  }
  const quota = quotaOf(cell('UsageQuota'))
  if (quota === 'wrong') return report('UsageQuota must be hours such as 10.')
  const mode = cell('UsageMode').toLowerCase()
  if (!['', 'restricted', 'unrestricted', 'open'].includes(mode)) {
    return report(`UsageMode must be Restricted or Unrestricted, not ${cell('UsageMode')}.`)
  }
  const idle = idleOf(cell)
  if (idle === 'wrong') return report('Idle times must be minutes such as 15.')
  const emails = emailsOf(cell('Emails'))
  if (!Array.isArray(emails)) return report(`Emails: ${emails} is not an e-mail address.`)
  if (emails.length > MAX_USERS) return report(tooManyUsers(emails.length))
  const owners = emailsOf(cell('LabOwnerEmails'))
  if (!Array.isArray(owners)) return report(`LabOwnerEmails: ${owners} is not an e-mail address.`)
  if (owners.length > MAX_OWNERS) {
    return report(`LabOwnerEmails has ${owners.length} addresses. Leave at most ${MAX_OWNERS}.`)
  }
  const listed = cell('Schedules')
  const planned = listed === '' ? [] : schedules.get(baseName(listed))
  if (planned === undefined) return report(`The schedule list ${listed} is not among the files.`)
  const image = cell('ImageName')
  return {
    key: `file:${cell('ResourceGroupName')}/${name}`.toLowerCase(),
    name,
    title: cell('Title') === '' ? name : cell('Title'),
    location: cell('Location') === '' ? null : cell('Location'),
    state: null,
    isFailed: false,
    size,
    capacity,
    os: osOf(image),
    image: { kind: 'named', name: image },
    quotaMinutes: quota ?? 0,
    idle,
    openAccess: mode === 'unrestricted' || mode === 'open',
    registrationCode: null,
    roster: cell('AadGroupId') === '' ? 'manual' : 'group',
    sharesPassword: cell('SharedPassword').toLowerCase() === 'enabled',
    users: emails.map(userOf),
    schedules: planned,
    owners,
    unread: [],
  }
}

const tooManyUsers = (count: number): string =>
  `The lab has ${count} users. Leave at most ${MAX_USERS}, or divide the users between several labs.`

const userOf = (email: string): SourceUser => ({
  email,
  displayName: null,
  isRegistered: false,
  usedMinutes: 0,
  extraMinutes: 0,
})

function wholeNumber(text: string): number | null | 'wrong' {
  if (text === '') return null
  return /^\d{1,6}$/.test(text) ? Number(text) : 'wrong'
}

/** Returns the minutes of a quota. These files contain hours, and the API returns a duration. */
function quotaOf(text: string): number | null | 'wrong' {
  if (/^P/i.test(text)) return minutesOf(text.toUpperCase()) ?? 'wrong'
  const hours = wholeNumber(text)
  return hours === null || hours === 'wrong' ? hours : hours * 60
}

function idleOf(cell: (name: string) => string): SourceIdle | null | 'wrong' {
  const [idle, disconnected, notConnected] = ['idleOsGracePeriod', 'idleGracePeriod', 'idleNoConnectGracePeriod'].map(
    (name) => wholeNumber(cell(name)),
  )
  if ([idle, disconnected, notConnected].includes('wrong')) return 'wrong'
  if (typeof idle === 'number' && idle > 0) return { minutes: idle, when: 'idle' }
  const minutes = Math.max(Number(disconnected ?? 0), Number(notConnected ?? 0))
  return minutes === 0 ? null : { minutes, when: 'disconnected' }
}

/** Returns the addresses, or the first text that is not an address. */
function emailsOf(text: string): string[] | string {
  const found = text.split(/[;\s]+/).flatMap((part) => (clean(part) === '' ? [] : [normaliseEmail(clean(part))]))
  return found.find((email) => !isEmail(email)) ?? [...new Set(found)]
}

function osOf(image: string): SourceLab['os'] {
  if (/windows|visual studio|office/i.test(image)) return 'Windows'
  return /ubuntu|debian|linux|centos|red ?hat|rhel|suse|kali|fedora/i.test(image) ? 'Linux' : null
}

function addUsers(table: Table, labs: Map<string, SourceLab>, report: (file: string, line: number) => Report): void {
  const all = [...labs.values()]
  const lab =
    all.find(({ name }) => name.toLowerCase() === baseName(table.file)) ?? (all.length === 1 ? all[0] : undefined)
  if (lab === undefined) {
    report(table.file, 1)('The file is neither a lab list nor a schedule list, and no lab has its name.')
    return
  }
  const count = table.text.trimEnd().split('\n').length
  if (count > MAX_EMAIL_LINES) {
    report(
      table.file,
      1,
    )(`The list has ${count} lines. Leave at most ${MAX_EMAIL_LINES}: a lab has up to ${MAX_USERS} users.`)
    return
  }
  const users = new Map(lab.users.map((user) => [user.email, user]))
  const { people, problems, addressColumns } = readRoster(table.text)
  if (addressColumns.length > 0)
    report(table.file, 1)(`Several columns have addresses: ${addressColumns.join(', ')}. Leave only the learners' own.`)
  for (const { line, text, reason } of problems) report(table.file, line)(`${text}: ${reason}`)
  for (const { email, name } of people) users.set(email, { ...userOf(email), ...users.get(email), displayName: name })
  if (users.size > MAX_USERS) {
    report(table.file, 1)(tooManyUsers(users.size))
    return
  }
  labs.set(lab.key, { ...lab, users: [...users.values()] })
}

function schedulesIn(table: Table, report: (file: string, line: number) => Report): SourceSchedule[] {
  const count = table.lines.length
  if (count > MAX_SCHEDULES) {
    report(
      table.file,
      1,
    )(`The list has ${count} schedules. Leave at most ${MAX_SCHEDULES}, without those that are over.`)
    return []
  }
  return table.lines.flatMap((line, index) => scheduleOf(line, index + 1, report(table.file, line.line)) ?? [])
}

function scheduleOf({ cells, extra }: Line, number: number, report: Report): SourceSchedule | null {
  const cell = (name: string): string => cells.get(name.toLowerCase()) ?? ''
  if (extra > 0) return report('The line has more columns than the first line.')
  const frequency = cell('Frequency').toLowerCase()
  if (!['once', 'weekly', 'daily'].includes(frequency)) {
    return report(`Frequency must be Once, Daily or Weekly, not ${cell('Frequency')}.`)
  }
  const from = dateOf(cell('FromDate'))
  if (from === null) return report(`FromDate ${cell('FromDate')} is not a date such as 12/1/2026.`)
  const until = frequency === 'once' ? from : dateOf(cell('ToDate'))
  if (until === null) return report(`ToDate ${cell('ToDate')} is not a date such as 12/24/2026.`)
  if (until < from) return report('ToDate is before FromDate.')
  const [start, stop] = [timeOf(cell('StartTime')), timeOf(cell('EndTime'))]
  if (start === undefined) return report(`StartTime ${cell('StartTime')} is not a time such as 10:00.`)
  if (stop === undefined) return report(`EndTime ${cell('EndTime')} is not a time such as 12:00.`)
  if (start === null && stop === null) return report('StartTime and EndTime are empty.')
  const timeZone = cell('TimeZoneId')
  if (ianaZone(timeZone) === null) return report(`TimeZoneId ${timeZone} is not a known time zone.`)
  const names = cell('WeekDays')
    .split(/[;,]/)
    .map((name) => clean(name))
    .filter((name) => name !== '')
  const unknownName = names.find((name) => weekdayOf(name) === null)
  if (unknownName !== undefined) return report(`WeekDays: ${unknownName} is not a day of the week.`)
  const weekdays = names.map((name) => weekdayOf(name)!)
  if (frequency === 'weekly' && weekdays.length === 0) return report('WeekDays is empty.')
  const at = (time: string | null, date: string): LocalTime | null => (time === null ? null : { date, time })
  // If the stop is not later than the start, the stop is on the next day.
  const stopDate = start !== null && stop !== null && stop <= start ? nextDay(from) : from
  return {
    key: `line ${number}`,
    start: at(start, from),
    stop: at(stop, stopDate),
    timeZone,
    repeats:
      frequency === 'once' ? null : { every: frequency === 'daily' ? 'day' : 'week', interval: 1, weekdays, until },
    notes: cell('Notes') === '' ? null : cell('Notes'),
  }
}

const nextDay = (date: string): string => Temporal.PlainDate.from(date).add({ days: 1 }).toString()

/** Parses an ISO date or a US date (month/day/year), because these files contain both. */
function dateOf(text: string): string | null {
  const [, month, date, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? []
  const iso = year === undefined ? text : `${year}-${month!.padStart(2, '0')}-${date!.padStart(2, '0')}`
  return day.safeParse(iso).success ? iso : null
}

/** Returns HH:mm, null for an empty text, or undefined if the text is not a time. */
function timeOf(text: string): string | null | undefined {
  if (text === '') return null
  const [, hour, minute, half] = /^(\d{1,2}):(\d{2})(?::\d{2})?\s*([ap]m)?$/i.exec(text) ?? []
  if (hour === undefined || Number(minute) > 59) return undefined
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)
  if (hours > 23 || (half !== undefined && (Number(hour) < 1 || Number(hour) > 12))) return undefined
  return `${String(hours).padStart(2, '0')}:${minute}`
}
