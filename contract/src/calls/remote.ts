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
}

/** Where the page's web socket is, below `/api`. */
export const REMOTE_SOCKET = '/remote/socket'

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
])
export type FromPage = z.output<typeof fromPage>

/** The gateway's messages, as text; a machine's output comes as bytes. After `ended` or `file` the socket closes. */
export type ToPage =
  | { readonly kind: 'opened'; readonly machine: string; readonly account: string }
  /** A Windows machine: a file that the person's own remote desktop opens. */
  | { readonly kind: 'file'; readonly machine: string; readonly name: string; readonly text: string }
  | { readonly kind: 'ended'; readonly sentence: string }
