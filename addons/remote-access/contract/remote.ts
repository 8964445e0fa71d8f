import { type Limit, MINUTE } from '@trainyard/platform/contract/limits.ts'
import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import {
  FILE_BYTES_MAX,
  FILE_DIRECTIONS,
  FILE_NAME_BYTES,
  FILE_PATH_LENGTH,
  FILE_MESSAGES,
  nameOfPath,
  TRANSFERS,
} from '@trainyard/platform/contract/words/file.ts'
import { OPENING_KINDS } from '@trainyard/machines/contract/operation.ts'
import { OPENING_MS_MAX } from './remote-words.ts'
import { instant, name, trainingRef, openingTimes, machineName } from '@trainyard/platform/contract/shapes.ts'

const folders: Limit = { name: 'folders', per: 'person', max: 120, seconds: MINUTE }

const people = ['user', 'admin', 'superadmin'] as const

/** Relative paths start at the account's home directory. */
const path = z
  .string()
  .min(1, 'must not be empty')
  .max(FILE_PATH_LENGTH, `must be at most ${FILE_PATH_LENGTH} characters long`)
  .refine((text) => !text.includes('\0') && text.isWellFormed(), 'must be a path')

const filePath = path.refine((text) => {
  const last = nameOfPath(text)
  return !['', '.', '..', '~'].includes(last) && new TextEncoder().encode(last).length <= FILE_NAME_BYTES
}, 'must end in the name of a file')

const transfer = z.object({
  id: z.string(),
  direction: z.enum(FILE_DIRECTIONS),
  path: z.string(),
  size: z.int().nullable(),
  done: z.int(),
  /** Digest of an upload so far, in hex: SHA-256 of the previous digest and the SHA-256 of the last chunk. */
  digest: z.string().nullable(),
  askedAt: instant,
  /** null while the transfer is in progress or can be resumed. */
  result: z.string().nullable(),
})
export type Transfer = z.output<typeof transfer>

export const remote = {
  ticket: call({
    route: 'POST /remote/ticket',
    for: ['user', 'admin', 'superadmin'],
    does: "Issues a single-use address that opens a running machine in the browser, valid for one minute in the caller's session.",
    audit: 'requested browser access',
    body: z.strictObject({ vmName: name }),
    // No Idempotency-Key: the reply contains a secret, and idempotent replies are stored.
    reply: z.object({
      url: z.string(),
      username: z.string(),
      password: z.string(),
      expiresIn: z.int(),
    }),
  }),
  connect: call({
    route: 'POST /remote/ssh',
    for: people,
    public: { scope: 'machine:connect', operation: 'connectMachine' },
    does: "Issues a single-use ticket for an SSH connection to a running Linux machine, valid for one minute with the same API key. The WebSocket at `path` takes the message `{ machine, ticket }`, replies with `{ kind: 'opened' }`, and then carries the bytes of SSH in binary messages of at most 64 kB.",
    audit: 'requested an SSH connection',
    body: z.strictObject({ vmName: machineName }),
    // No Idempotency-Key: the reply contains a secret, and idempotent replies are stored.
    reply: z.object({
      ticket: z.string().meta({ examples: ['i7JtK0bJf3mVhZb3kq0nB4d3s7Yw0wq7mP6vZ1cX2uA'] }),
      path: z.string().meta({ examples: ['/api/remote/ssh'] }),
      /** User name at the machine. */
      account: z.string().meta({ examples: ['learner'] }),
      /** Public key of the machine's SSH server, as in a known_hosts file. */
      hostKey: z
        .string()
        .meta({ examples: ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExampleExampleExampleExampleExampleExample0'] }),
      expiresIn: z.int().meta({ examples: [60] }),
    }),
  }),
  usable: call({
    route: 'POST /remote/usable',
    for: ['user', 'admin', 'superadmin'],
    does: 'Records the time from the click to the first prompt or frame, once per ticket that the caller has just used.',
    audit: 'reported how fast a machine opened in the browser',
    body: z.strictObject({
      vmName: name,
      password: z.string().min(1).max(100),
      kind: z.enum(OPENING_KINDS),
      milliseconds: z
        .int('must be a whole number of milliseconds')
        .min(1, 'must be more than zero')
        .max(OPENING_MS_MAX, `must be at most ${OPENING_MS_MAX}`),
    }),
  }),
  openings: call({
    route: 'GET /admin/openings',
    for: ['superadmin'],
    does: 'Returns how long terminals and desktops took to open in the last 30 days, as measured by browsers, by size and region.',
    reply: z.object({
      measured: z.array(
        openingTimes.extend({
          kind: z.enum(OPENING_KINDS),
          size: z.string(),
          location: z.string(),
          count: z.int(),
        }),
      ),
    }),
  }),
  watch: call({
    route: 'POST /remote/watch',
    for: ['admin', 'superadmin'],
    instructors: true,
    does: "Issues a single-use address that shows a learner's terminal or desktop, valid for one minute in the caller's session.",
    audit: 'asked to watch a learner’s screen',
    body: z.strictObject({ vmName: name }),
    reply: z.object({ url: z.string(), username: z.string(), password: z.string(), expiresIn: z.int() }),
  }),
  folder: call({
    route: 'GET /remote/folder',
    for: people,
    does: "Lists a folder of a running machine as seen by the machine's account, by default its home directory.",
    limit: folders,
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
      more: z.boolean(),
    }),
  }),
  transfers: call({
    route: `GET ${TRANSFERS}`,
    for: people,
    does: "Lists the caller's file transfers of a machine from the last day, newest first, and whether new ones are allowed.",
    query: z.strictObject({ vmName: name }),
    reply: z.object({ allowed: z.boolean(), transfers: z.array(transfer) }),
  }),
  transfer: call({
    route: `POST ${TRANSFERS}`,
    for: people,
    does: 'Creates a file transfer to or from a machine. The content is sent to, or read from, the address with its id.',
    audit: 'started a file transfer',
    body: z.strictObject({
      vmName: name,
      direction: z.enum(FILE_DIRECTIONS),
      path: filePath,
      size: z.int().min(0).max(FILE_BYTES_MAX, FILE_MESSAGES.tooLarge).optional(),
      replace: z.boolean().optional(),
    }),
    reply: transfer,
    once: true,
  }),
  giveUp: call({
    route: `DELETE ${TRANSFERS}`,
    for: people,
    does: "Cancels one of the caller's transfers. A partial upload is removed from the machine if it can be reached.",
    audit: 'cancelled a file transfer',
    query: z.strictObject({ id: z.uuid() }),
  }),
  filesAllowed: call({
    route: 'GET /azure/files',
    for: ['admin', 'superadmin'],
    does: 'Returns whether file transfers in the browser are allowed in a training.',
    query: trainingRef,
    reply: z.object({ allowed: z.boolean() }),
  }),
  allowFiles: call({
    route: 'POST /azure/files',
    for: ['admin', 'superadmin'],
    does: 'Allows or forbids file transfers in the browser in a training. Forbidding ends transfers in progress.',
    audit: 'changed whether file transfers are allowed',
    body: trainingRef.extend({ allowed: z.boolean() }),
  }),
  ending: call({
    route: 'GET /remote/ending',
    for: ['user', 'admin', 'superadmin'],
    does: 'Returns why the last desktop of a machine in this session was closed, or null if it is open or none was opened.',
    query: z.strictObject({ vmName: name }),
    reply: z.object({ sentence: z.string().nullable() }),
  }),
}

const columns = z.int().min(1).max(1_000)
const rows = z.int().min(1).max(500)

const watcherAnswer = z.strictObject({
  kind: z.literal('watcher'),
  id: z.uuid(),
  answer: z.enum(['allow', 'end', 'giveKeyboard', 'takeKeyboard']),
})

/** First message of an SSH connection. The following messages are bytes. */
export const messageFromSshClient = z.strictObject({ machine: name, ticket: z.string().min(1).max(100) })

/** The socket closes after `ended`. */
export type MessageToSshClient = { readonly kind: 'opened' } | { readonly kind: 'ended'; readonly sentence: string }

/** Keyboard input is sent as bytes. */
export const messageFromPage = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('open'),
    machine: name,
    ticket: z.string().min(1).max(100),
    columns,
    rows,
    /** Requests the desktop instead of a terminal. Windows machines always open as a desktop. */
    desktop: z.boolean().optional(),
    /** Continues a shell whose connection was lost, if it still runs; otherwise opens a new one. */
    resume: z.strictObject({ terminal: z.uuid(), received: z.int().min(0) }).optional(),
  }),
  z.strictObject({ kind: z.literal('resize'), columns, rows }),
  /**
   * Flow control: this many more bytes have been displayed. The gateway pauses output while too many bytes are not
   * acknowledged.
   */
  z.strictObject({
    kind: z.literal('shown'),
    bytes: z
      .int()
      .min(1)
      .max(1024 * 1024),
  }),
  watcherAnswer,
])
export type MessageFromPage = z.output<typeof messageFromPage>

/** The first message carries the ticket that opened the desktop. */
export const messageFromOwnDesktop = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('own'), machine: name, ticket: z.string().min(1).max(100) }),
  watcherAnswer,
])
export type MessageFromOwnDesktop = z.output<typeof messageFromOwnDesktop>

export interface DesktopOffer {
  readonly kind: 'desktop'
  readonly machine: string
  readonly account: string
  /** Required because the page itself performs network level authentication. The gateway cannot do so on its behalf. */
  readonly password: string
  readonly ticket: string
  /** An .rdp file for the user's own remote desktop client, without the password. */
  readonly file: { readonly name: string; readonly text: string }
}

/** A machine's output is sent as bytes. The socket closes after `ended` or `desktop`. */
export type MessageToPage =
  | {
      readonly kind: 'opened'
      /** ID for `resume`. */
      readonly terminal: string
      /** Number of bytes of the terminal's output before the first that follows. */
      readonly from: number
      readonly machine: string
      readonly account: string
      readonly watching: 'asked' | 'unasked' | null
    }
  | WatcherList
  | DesktopOffer
  | { readonly kind: 'ended'; readonly sentence: string }

interface WatcherList {
  readonly kind: 'watchers'
  readonly watchers: readonly Watcher[]
}
/** Sent separately, because RDP transmits only the pointer's shape. */
export interface PointerPosition {
  readonly kind: 'pointer'
  readonly x: number
  readonly y: number
}

export type MessageToOwnDesktop =
  /** Sent when the socket opens; null for an instructor's desktop, which cannot be watched. */
  { readonly kind: 'consent'; readonly watching: 'asked' | 'unasked' | null } | WatcherList | PointerPosition

export interface Watcher {
  readonly id: string
  readonly email: string
  readonly sees: boolean
  /** True if the learner has consented and can withdraw the consent. */
  readonly wasAsked: boolean
  readonly keyboard: KeyboardState
}
export type KeyboardState = 'none' | 'asked' | 'held'

/** Keyboard input is sent as bytes, used only while the watcher controls the keyboard. */
export const messageFromWatcher = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('watch'), machine: name, ticket: z.string().min(1).max(100) }),
  /** Flow control: this many more bytes have been displayed. For a desktop, sent once when its client is ready. */
  z.strictObject({ kind: z.literal('shown'), bytes: z.int().min(1) }),
  z.strictObject({ kind: z.literal('keyboard'), want: z.boolean() }),
])
export type MessageFromWatcher = z.output<typeof messageFromWatcher>

/** Terminal output is sent as bytes. The socket closes after `ended`. */
export type MessageToWatcher =
  | { readonly kind: 'asking'; readonly learner: string }
  | { readonly kind: 'desktop'; readonly learner: string; readonly ticket: string }
  | PointerPosition
  /** The following bytes redraw the whole screen at this size. Discard what was displayed before. */
  | { readonly kind: 'screen'; readonly learner: string; readonly columns: number; readonly rows: number }
  | { readonly kind: 'size'; readonly columns: number; readonly rows: number }
  | { readonly kind: 'keyboard'; readonly state: KeyboardState; readonly heldByAnother: boolean }
  | { readonly kind: 'ended'; readonly sentence: string }

/** Texts that follow the portal's name in the audit log: actions that are no calls. */
export const remoteActions = {
  'remote.open': 'opened a terminal, a desktop or an SSH connection',
  'remote.resume': 'reconnected to a terminal whose connection was lost',
  'remote.upload': 'uploaded a part of a file',
  'remote.download': 'downloaded a file',
  'remote.transferEnd': 'finished a file transfer',
  'remote.close': 'closed a terminal, a desktop or an SSH connection',
  'remote.watchBegin': 'started watching a learner’s screen',
  'remote.watchEnd': 'stopped watching a learner’s screen, or was refused',
  'remote.giveKeyboard': 'gave keyboard control to a watcher',
  'remote.takeKeyboard': 'returned keyboard control to the learner',
} as const

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    remote: typeof remote
  }
}
