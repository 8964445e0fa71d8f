import { z } from 'zod'
import { defineCall } from '../call.ts'
import {
  FILE_BYTES_MAX,
  FILE_DIRECTIONS,
  FILE_NAME_BYTES,
  FILE_PATH_LENGTH,
  FILES,
  nameOfPath,
  TRANSFERS,
} from '../words/file.ts'
import { OPENING_KINDS, OPENING_MOST_MS } from '../words/remote.ts'
import { instant, message, name, ofTraining, openingUsual } from './shapes.ts'

const people = ['user', 'admin', 'superadmin'] as const

/** A place on a machine's disk; without a slash before it it is below the account's home. */
const path = z
  .string()
  .min(1, 'must not be empty')
  .max(FILE_PATH_LENGTH, `must be at most ${FILE_PATH_LENGTH} characters long`)
  .refine((text) => !text.includes('\0') && text.isWellFormed(), 'must be a path')

/** The place of a file: its last part is a name. */
const filePath = path.refine((text) => {
  const last = nameOfPath(text)
  return !['', '.', '..', '~'].includes(last) && new TextEncoder().encode(last).length <= FILE_NAME_BYTES
}, 'must end in the name of a file')

const transfer = z.object({
  id: z.string(),
  direction: z.enum(FILE_DIRECTIONS),
  path: z.string(),
  /** null: a download that has not begun. */
  size: z.int().nullable(),
  done: z.int(),
  /** Of an upload: the SHA-256, in hex, of that of the pieces before and that of the last piece. */
  digest: z.string().nullable(),
  askedAt: instant,
  /** null: it goes on, or can. */
  result: z.string().nullable(),
})
export type Transfer = z.output<typeof transfer>

export const remote = {
  ticket: defineCall({
    method: 'POST',
    path: '/remote/ticket',
    roles: ['user', 'admin', 'superadmin'],
    summary: 'An address that opens a running machine in the browser: once, within a minute, in this session alone.',
    body: z.strictObject({ vmName: name }),
    // No Idempotency-Key: what is answered is a secret, and replies are stored with it. Each call makes another.
    reply: z.object({
      url: z.string(),
      /** The fragment of the address holds these; the page asks for them again when it reconnects. */
      username: z.string(),
      password: z.string(),
      expiresIn: z.int(),
    }),
  }),
  usable: defineCall({
    method: 'POST',
    path: '/remote/usable',
    roles: ['user', 'admin', 'superadmin'],
    summary:
      'Keeps how long it took from the click to the first prompt or frame: of an own ticket that opened a machine just now, once.',
    body: z.strictObject({
      vmName: name,
      /** The ticket that was used. */
      password: z.string().min(1).max(100),
      kind: z.enum(OPENING_KINDS),
      milliseconds: z
        .int('must be a whole number of milliseconds')
        .min(1, 'must be more than zero')
        .max(OPENING_MOST_MS, `must be at most ${OPENING_MOST_MS}`),
    }),
    reply: message,
  }),
  openings: defineCall({
    method: 'GET',
    path: '/admin/openings',
    roles: ['superadmin'],
    summary:
      'How long machines take from the click to a usable terminal or desktop, as browsers measured it: by size and region, of the last thirty days.',
    reply: z.object({
      measured: z.array(
        openingUsual.extend({
          kind: z.enum(OPENING_KINDS),
          vmSize: z.string(),
          location: z.string(),
          /** Openings that count, of at most two hundred. */
          count: z.int(),
        }),
      ),
    }),
  }),
  watch: defineCall({
    method: 'POST',
    path: '/remote/watch',
    roles: ['admin', 'superadmin'],
    summary:
      "An address that shows the terminal or desktop of a machine's learner: once, within a minute, in this session alone.",
    body: z.strictObject({ vmName: name }),
    reply: z.object({ url: z.string(), username: z.string(), password: z.string(), expiresIn: z.int() }),
  }),
  folder: defineCall({
    method: 'GET',
    path: '/remote/folder',
    roles: people,
    summary: "A folder of a running machine, as its own account sees it; the account's home where none is named.",
    query: z.strictObject({ vmName: name, path: path.optional() }),
    reply: z.object({
      path: z.string(),
      entries: z.array(
        z.object({
          name: z.string(),
          kind: z.enum(['file', 'folder', 'other']),
          size: z.number(),
          changedAt: instant,
        }),
      ),
      /** There are more than are shown. */
      more: z.boolean(),
    }),
  }),
  transfers: defineCall({
    method: 'GET',
    path: TRANSFERS,
    roles: people,
    summary: "One's own transfers to and from a machine of the last day, newest first, and whether there may be more.",
    query: z.strictObject({ vmName: name }),
    reply: z.object({ allowed: z.boolean(), transfers: z.array(transfer) }),
  }),
  transfer: defineCall({
    method: 'POST',
    path: TRANSFERS,
    roles: people,
    summary: 'Begins to move a file to or from a machine. Its bytes go to, or come from, an address with its id.',
    body: z.strictObject({
      vmName: name,
      direction: z.enum(FILE_DIRECTIONS),
      path: filePath,
      /** Of an upload, in bytes. */
      size: z.int().min(0).max(FILE_BYTES_MAX, FILES.tooLarge).optional(),
      /** An upload takes the place of a file that stands there. */
      replace: z.boolean().optional(),
    }),
    reply: transfer,
    creates: true,
  }),
  giveUp: defineCall({
    method: 'DELETE',
    path: TRANSFERS,
    roles: people,
    summary:
      'Gives an own transfer up; what was sent of an upload is removed from the machine where it can be reached.',
    query: z.strictObject({ id: z.uuid() }),
    reply: message,
  }),
  filesAllowed: defineCall({
    method: 'GET',
    path: '/azure/files',
    roles: ['admin', 'superadmin'],
    summary: 'Says whether files are moved by the browser in a training.',
    query: ofTraining,
    reply: z.object({ allowed: z.boolean() }),
  }),
  allowFiles: defineCall({
    method: 'POST',
    path: '/azure/files',
    roles: ['admin', 'superadmin'],
    summary: 'Allows files to be moved by the browser in a training, or not: what is under way then ends.',
    body: ofTraining.extend({ allowed: z.boolean() }),
    reply: message,
  }),
  ending: defineCall({
    method: 'GET',
    path: '/remote/ending',
    roles: ['user', 'admin', 'superadmin'],
    summary: 'Why the last desktop that was opened of a machine in this session is over; null: it is not, or none was.',
    query: z.strictObject({ vmName: name }),
    reply: z.object({ sentence: z.string().nullable() }),
  }),
}

const columns = z.int().min(1).max(1_000)
const rows = z.int().min(1).max(500)

/** A learner's answer to somebody who watches, or asks for something. */
const watcherAnswer = z.strictObject({
  kind: z.literal('watcher'),
  id: z.uuid(),
  answer: z.enum(['allow', 'end', 'giveKeyboard', 'takeKeyboard']),
})

/** The page's messages, as text; typing goes as bytes. */
export const fromPage = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('open'),
    machine: name,
    ticket: z.string().min(1).max(100),
    columns,
    rows,
    /** The machine's desktop instead of a terminal; that of a Windows machine in any case. */
    desktop: z.boolean().optional(),
  }),
  z.strictObject({ kind: z.literal('resize'), columns, rows }),
  /** So many bytes more have been shown: the gateway sends only so far ahead. */
  z.strictObject({
    kind: z.literal('shown'),
    bytes: z
      .int()
      .min(1)
      .max(1024 * 1024),
  }),
  watcherAnswer,
])
export type FromPage = z.output<typeof fromPage>

/** The messages of a learner's page beside its desktop: first the ticket that opened that. */
export const fromOwnDesktop = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('own'), machine: name, ticket: z.string().min(1).max(100) }),
  watcherAnswer,
])
export type FromOwnDesktop = z.output<typeof fromOwnDesktop>

/** A machine's desktop, to be opened at its own socket: as whom, and with which ticket. */
export interface DesktopOffer {
  readonly kind: 'desktop'
  readonly machine: string
  readonly account: string
  /** The page signs in itself (network level authentication): nobody between it and the machine can do so for it. */
  readonly password: string
  /** Another one than was given: good once and for a minute, like that. */
  readonly ticket: string
  /** A file that the person's own remote desktop opens, without the password. */
  readonly file: { readonly name: string; readonly text: string }
}

/** The gateway's messages, as text; a machine's output comes as bytes. After `ended` or `desktop` the socket closes. */
export type ToPage =
  | {
      readonly kind: 'opened'
      readonly machine: string
      readonly account: string
      /** The learner is told so at the door: instructors ask before they watch, or may without; null: nobody watches it. */
      readonly watching: 'asked' | 'unasked' | null
    }
  | WatchersNow
  | DesktopOffer
  | { readonly kind: 'ended'; readonly sentence: string }

/** Everybody who watches, or asks to, each time that something of it has changed. */
interface WatchersNow {
  readonly kind: 'watchers'
  readonly watchers: readonly Watcher[]
}
/** The pointer's place on a desktop as the other side moves it: a machine sends its shape alone. */
export interface PointerNow {
  readonly kind: 'pointer'
  readonly x: number
  readonly y: number
}

/** The gateway's messages to a learner's page beside its desktop. */
export type ToOwnDesktop =
  /** Told when it opens; null: nobody watches an instructor's. */
  { readonly kind: 'consent'; readonly watching: 'asked' | 'unasked' | null } | WatchersNow | PointerNow

export interface Watcher {
  readonly id: string
  readonly email: string
  readonly sees: boolean
  /** The learner was asked, and may take that back. */
  readonly wasAsked: boolean
  readonly keyboard: KeyboardState
}
/** A watcher's part in the keyboard. */
export type KeyboardState = 'none' | 'asked' | 'held'

/** A watcher's messages, as text; typing goes as bytes, and counts while they hold the keyboard. */
export const fromWatcher = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('watch'), machine: name, ticket: z.string().min(1).max(100) }),
  /** So many bytes more have been shown; of a desktop once, when the client that shows it stands. */
  z.strictObject({ kind: z.literal('shown'), bytes: z.int().min(1) }),
  z.strictObject({ kind: z.literal('keyboard'), want: z.boolean() }),
])
export type FromWatcher = z.output<typeof fromWatcher>

/** The gateway's messages to a watcher, as text; the terminal's output comes as bytes. After `ended` it closes. */
export type ToWatcher =
  | { readonly kind: 'asking'; readonly learner: string }
  /** It is a desktop: its picture is at a socket of its own for who shows this ticket, once; a later one takes its place. */
  | { readonly kind: 'desktop'; readonly learner: string; readonly ticket: string }
  | PointerNow
  /** The bytes that come next are the screen as it is now, of this size: what was shown before is forgotten. */
  | { readonly kind: 'screen'; readonly learner: string; readonly columns: number; readonly rows: number }
  | { readonly kind: 'size'; readonly columns: number; readonly rows: number }
  | { readonly kind: 'keyboard'; readonly state: KeyboardState; readonly heldByAnother: boolean }
  | { readonly kind: 'ended'; readonly sentence: string }
