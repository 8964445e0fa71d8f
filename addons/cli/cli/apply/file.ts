import { LineCounter, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { en } from 'zod/locales'
import { encodingOf, unifyLineEnds } from '@trainyard/platform/contract/words/delimited.ts'
import { EXIT, Failure } from '../failure.ts'

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

/** Advice for an unquoted number: YAML reads 007 as 7, so the number does not show which name the user meant. */
const NOT_A_TEXT = 'must be text. Put it in quotation marks, as in "2026"'
const isUnquoted = (value: unknown): boolean => typeof value === 'number' || typeof value === 'boolean'

const name = z
  .string({ error: ({ input }) => (isUnquoted(input) ? NOT_A_TEXT : undefined) })
  .trim()
  .min(1, 'must not be empty')
const email = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address such as name@example.com')
const date = z.iso.date('must be a date such as 2026-12-01')
const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as "09:30"')
const weekday = z
  .string()
  .transform((text) => text.slice(0, 3).toLowerCase())
  .pipe(z.enum(DAYS, 'must be a day such as mon'))
  .transform((day) => DAYS.indexOf(day) + 1)

const learner = z
  .union([email, z.strictObject({ email, name: name.optional() })], {
    error: ({ input }) =>
      isUnquoted((input as { name?: unknown } | null | undefined)?.name)
        ? `name ${NOT_A_TEXT}`
        : 'must be an e-mail address, or email and name',
  })
  .transform((value) => (typeof value === 'string' ? { email: value, name: undefined } : value))

const number = z.int('must be a whole number').min(1, 'must be 1 to 65535').max(65_535, 'must be 1 to 65535')
const port = z
  .union(
    [
      number,
      z.strictObject({
        port: number,
        protocol: z.enum(['TCP', 'UDP', 'TCP and UDP']).optional(),
        source: z.string().optional(),
      }),
    ],
    'must be a number from 1 to 65535, or port with protocol and source',
  )
  .transform((value) => (typeof value === 'number' ? { port: value } : value))
  .transform(({ port: at, protocol = 'TCP and UDP' as const, source }) => ({
    port: at,
    protocol,
    source: source ?? null,
  }))

const session = z
  .strictObject({
    /** A single session. */
    date: date.optional(),
    /** A weekly class. */
    days: z.array(weekday).min(1, 'must name a day').optional(),
    from: date.optional(),
    until: date.optional(),
    start: time,
    stop: time,
    limitAccess: z.boolean().default(false),
    skipHolidays: z.boolean().default(true),
  })
  .superRefine(({ date: single, days, from, until }, context) => {
    const isSingle = single !== undefined && days === undefined && from === undefined && until === undefined
    const isWeekly = single === undefined && days !== undefined && from !== undefined && until !== undefined
    if (!isSingle && !isWeekly) context.addIssue('must have either date, or days, from and until')
    if (isWeekly && until < from) context.addIssue('until must not be before from')
  })
  .transform(({ date: single, days, from, until, ...times }) => ({
    weekdays: days === undefined ? null : [...new Set(days)].toSorted((a, b) => a - b),
    from: single ?? from!,
    until: single ?? until!,
    ...times,
  }))

const training = z.strictObject({
  training: name,
  /** Required for superadmins. */
  organization: name.optional(),
  template: name,
  /** Hours that each machine may run; no limit if null or absent. */
  hours: z.number().positive('must be more than 0').nullable().default(null),
  browserAccess: z.boolean().default(true),
  readyBy: z
    .string()
    .regex(/^\d{4}-\d\d-\d\d[ T]\d\d:\d\d$/, 'must be a time such as 2026-12-01 09:30')
    .transform((text) => ({ date: text.slice(0, 10), time: text.slice(11) }))
    .optional(),
  learners: z
    .array(learner)
    .refine((all) => new Set(all.map((each) => each.email)).size === all.length, 'must name each learner once')
    .default([]),
  ports: z
    .array(port)
    .refine((all) => new Set(all.map((each) => each.port)).size === all.length, 'must name each port once')
    .optional(),
  sessions: z.array(session).optional(),
})
export type WantedTraining = z.output<typeof training>
export type WantedClassSession = z.output<typeof session>
export type WantedPort = z.output<typeof port>

/** Returns the trainings of a file, one per YAML document. @throws Failure with the line of the first problem */
export function parseTrainings(bytes: Uint8Array, file: string): WantedTraining[] {
  const text = decode(bytes, file)
  const lines = new LineCounter()
  const documents = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false })
  if (documents.length === 0) throw invalid(`${file} is empty.`)
  return documents.map((document) => {
    const [parseError] = document.errors
    if (parseError !== undefined)
      throw invalid(`${file}:${lines.linePos(parseError.pos[0]).line}: ${parseError.message}`)
    const parsed = training.safeParse(document.toJS({ maxAliasCount: 100 }), { error: en().localeError })
    if (parsed.success) return parsed.data
    const { path, message } = parsed.error.issues[0]!
    const line = lineOf(path)
    const pathSegments = path.map((part) => (typeof part === 'number' ? `[${part + 1}]` : `.${String(part)}`)).join('')
    throw invalid(`${file}:${line}: ${pathSegments === '' ? 'the file' : pathSegments.slice(1)}: ${message}`)

    /** Returns the line of the innermost part of the path that is in the file. */
    function lineOf(parts: readonly PropertyKey[]): number {
      for (let length = parts.length; length >= 0; length -= 1) {
        const node = length === 0 ? document.contents : document.getIn(parts.slice(0, length), true)
        const range = (node as { range?: [number, number, number] } | null | undefined)?.range
        if (range !== undefined) return lines.linePos(range[0]).line
      }
      return 1
    }
  })
}

/** @throws Failure for bytes of another encoding, which would change the names in the file */
function decode(bytes: Uint8Array, file: string): string {
  const encoding = encodingOf(bytes)
  const text = new TextDecoder(encoding).decode(bytes)
  const damaged = text.indexOf(REPLACEMENT)
  if (damaged < 0) return text
  const line = unifyLineEnds(text.slice(0, damaged)).split('\n').length
  const found = encoding === 'utf-8' ? 'not UTF-8, but probably Windows-1252' : `damaged ${encoding.toUpperCase()}`
  throw invalid(`${file}:${line}: the text is ${found}. Save the file as UTF-8`)
}

/** Character that a decoder writes for bytes that it cannot read. */
const REPLACEMENT = '\uFFFD'

const invalid = (message: string): Failure =>
  new Failure(EXIT.usage, message, { hint: 'Correct the file and try again. Nothing was changed.' })
