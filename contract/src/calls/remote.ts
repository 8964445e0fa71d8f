import { z } from 'zod'
import { defineCall } from '../call.ts'
import { OPENING_KINDS, OPENING_MOST_MS } from '../words/remote.ts'
import { message, name, openingUsual } from './shapes.ts'

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
    summary: "An address that shows the terminal of a machine's learner: once, within a minute, in this session alone.",
    body: z.strictObject({ vmName: name }),
    reply: z.object({ url: z.string(), username: z.string(), password: z.string(), expiresIn: z.int() }),
  }),
}

/** Where the page's web socket is, below `/api`. */
export const REMOTE_SOCKET = '/remote/socket'
/** The socket of those who watch a learner. */
export const WATCH_SOCKET = '/remote/watching'

const columns = z.int().min(1).max(1_000)
const rows = z.int().min(1).max(500)

/** The page's messages, as text; typing goes as bytes. */
export const fromPage = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('open'), machine: name, ticket: z.string().min(1).max(100), columns, rows }),
  z.strictObject({ kind: z.literal('resize'), columns, rows }),
  /** So many bytes more have been shown: the gateway sends only so far ahead. */
  z.strictObject({
    kind: z.literal('shown'),
    bytes: z
      .int()
      .min(1)
      .max(1024 * 1024),
  }),
  /** A learner's answer to somebody who watches, or asks for something. */
  z.strictObject({
    kind: z.literal('watcher'),
    id: z.uuid(),
    answer: z.enum(['allow', 'end', 'giveKeyboard', 'takeKeyboard']),
  }),
])
export type FromPage = z.output<typeof fromPage>

/** The gateway's messages, as text; a machine's output comes as bytes. After `ended` or `file` the socket closes. */
export type ToPage =
  | {
      readonly kind: 'opened'
      readonly machine: string
      readonly account: string
      /** The learner is told so at the door: instructors ask before they watch, or may without; null: nobody watches it. */
      readonly watching: 'asked' | 'unasked' | null
    }
  /** Everybody who watches, or asks to, each time that something of it has changed. */
  | { readonly kind: 'watchers'; readonly watchers: readonly Watcher[] }
  /** A Windows machine: a file that the person's own remote desktop opens. */
  | { readonly kind: 'file'; readonly machine: string; readonly name: string; readonly text: string }
  | { readonly kind: 'ended'; readonly sentence: string }

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
  z.strictObject({ kind: z.literal('shown'), bytes: z.int().min(1) }),
  z.strictObject({ kind: z.literal('keyboard'), want: z.boolean() }),
])
export type FromWatcher = z.output<typeof fromWatcher>

/** The gateway's messages to a watcher, as text; the terminal's output comes as bytes. After `ended` it closes. */
export type ToWatcher =
  | { readonly kind: 'asking'; readonly learner: string }
  /** The bytes that come next are the screen as it is now, of this size: what was shown before is forgotten. */
  | { readonly kind: 'screen'; readonly learner: string; readonly columns: number; readonly rows: number }
  | { readonly kind: 'size'; readonly columns: number; readonly rows: number }
  | { readonly kind: 'keyboard'; readonly state: KeyboardState; readonly heldByAnother: boolean }
  | { readonly kind: 'ended'; readonly sentence: string }
