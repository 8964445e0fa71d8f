import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from './clock/clock.ts'
import type { Faults } from './faults/faults.ts'
import type { Mailbox } from './mail/mailbox.ts'
import type { Tab } from './pages/layout.ts'
import type { CallCounts } from './record/call-counts.ts'
import type { Database } from './record/database.ts'
import type { Settings } from './record/settings.ts'

/** Objects that all parts of an emulator share. */
export interface Emulated {
  readonly server: FastifyInstance
  readonly options: PartOptions
  readonly database: Database
  readonly settings: Settings
  readonly clock: Clock
  readonly faults: Faults
  readonly mailbox: Mailbox
  readonly calls: CallCounts
  /** Pages in the navigation of the emulator's own pages. */
  readonly tabs: Tab[]
  /** Opens a separate record in the emulator's folder, and closes it with the emulator. */
  openRecord(file: string): Database
}

/** Options of a start. A part adds its own. */
export interface PartOptions {
  readonly dataDir: string
  /** Factor on the duration of long-running operations. Default: 1. With 0 they end at once. */
  readonly latency?: number
}

/** The emulation of one provider. */
export interface Part {
  readonly name: string
  mount(emulated: Emulated): Mounted | void
}

export interface Mounted {
  /** Applies what is due at this time. */
  settle?(now: number): void
  /** Records that `GET /_truth` returns, by name. Times are in ISO 8601. */
  readonly truth?: Readonly<Record<string, (now: number) => unknown>>
  /** Records that are returned only when requested by name, because they grow without limit. */
  readonly longTruth?: Readonly<Record<string, (now: number) => unknown>>
  /** Answers requests without a route whose path matches. */
  readonly notFound?: { readonly path: RegExp; answer(request: FastifyRequest, reply: FastifyReply): FastifyReply }
  /** Answers an error in the format of the provider, or returns null if it is not the provider's. */
  answerError?(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply | null
  /** Returns whether a mailbox may send mail with this token. */
  maySend?(user: string, token: string, now: number): boolean
  /** Starts background work, once the server listens. */
  start?(): void
  stop?(): Promise<void> | void
}
