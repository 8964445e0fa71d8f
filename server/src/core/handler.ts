import type { BodyOf, Call, QueryOf, ReplyOf } from '@trainyard/contract/call.ts'
import type { Contract } from '@trainyard/contract/contract.ts'
import type { OrganisationId } from '@trainyard/contract/words/ids.ts'
import type { Db, Tx } from '../db/schema.ts'
import type { Actor } from './actor.ts'
import type { Change } from './audit.ts'
import type { SecondFactorDuty } from './second-factor-duty.ts'

/** Somebody who would come in, as the provider of their organisation names them. */
export interface Concerns {
  readonly organisation: OrganisationId
  /** null: it has named nobody. */
  readonly email: string | null
}

/** The parts of the request that a handler is given. */
export interface Asked<C extends Call> {
  readonly query: QueryOf<C>
  readonly body: BodyOf<C>
  /** Always there, except for calls that anyone may make. */
  readonly actor: C['roles'] extends 'anyone' ? Actor | null : Actor
  /** sha256 of the session's token; null when nobody is signed in. */
  readonly sessionHash: Buffer | null
  /** null: the person needs no second factor. */
  readonly secondFactorDuty: SecondFactorDuty | null
  readonly requestId: string
  /** A header of the request, for calls that its sender signs. */
  header(name: string): string | undefined
  readonly address: string
  /** The installation's idle limit, for sessions that the call opens; null: there is none. */
  readonly idleMinutes: number | null
  /** sha256 of the session that the browser's cookie names, also in calls that look at none; null: there is no cookie. */
  readonly browserSession: Buffer | null
  /** The cookie that says who has signed in with this browser before. */
  readonly knownBrowser: string | undefined
  rememberBrowser(cookie: string): void
  /** The cookie of a sign-in that this browser began at an organisation's provider. */
  readonly signInCookie: string | undefined
  setSignInCookie(token: string | null): void
  /** Sets or clears the session's cookie on the reply. */
  setSessionCookie(uid: string | null): void
  /** Sends the reply with status 503: all is said, and not all is well. */
  answerUnavailable(): void
  /** Whom the audit row names, where only the call itself finds out who acts: signing in. */
  actAs(actor: Actor): void
  /** Says whom and whose a refusal concerns that names neither: of a sign-in that ends at the provider's answer. */
  concern(concerns: Concerns): void
  /** Gives the audit row the thing as it was and as it is now; no secrets. For changes of what an auditor asks about. */
  readonly auditChange: (before: Change['before'], after: Change['after']) => void
}

/** A call that reads: it is given the database itself, and can't change it. */
export type Reader<C extends Call> = (db: Db, asked: Asked<C>) => Promise<ReplyOf<C>>

/** A call that changes something: one transaction, with its audit row in it. */
export type Changer<C extends Call> = (tx: Tx, asked: Asked<C>) => Promise<ReplyOf<C>>

/** A change with slow work before it (hashing a password) that must not hold a transaction open. */
export interface Prepared<C extends Call, P = never> {
  prepare(db: Db, asked: Asked<C>): Promise<P>
  change(tx: Tx, asked: Asked<C>, prepared: P): Promise<ReplyOf<C>>
}

/** A call that stays open: `send` writes one event; it ends when `closed` aborts. */
export type Stream<C extends Call> = (
  db: Db,
  asked: Asked<C>,
  stream: { send(event: ReplyOf<C>): void; readonly closed: AbortSignal },
) => Promise<void>

/** A file that is sent as it is read, once the transaction that asked for it is over. */
export interface FileReply {
  readonly name: string
  readonly type: string
  /** Its parts, in their order. */
  readonly lines: AsyncIterable<string> | Iterable<string | Buffer>
}

/** A call that answers with a file: what it may hold is settled, and audited, in one transaction. */
export type Filer<C extends Call> = (tx: Tx, asked: Asked<C>, db: Db) => Promise<FileReply>

export type Handler<C extends Call> = C extends { stream: true }
  ? Stream<C>
  : C extends { file: true }
    ? Filer<C>
    : C['method'] extends 'GET'
      ? Reader<C>
      : // oxlint-disable-next-line typescript/no-explicit-any -- what is prepared is each handler's own affair
        Changer<C> | Prepared<C, any>

/** One handler a call, by module: leaving one out is a type error. */
export type Handlers = { [M in keyof Contract]: HandlersOf<M> }
export type HandlersOf<M extends keyof Contract> = {
  [K in keyof Contract[M]]: Contract[M][K] extends Call ? Handler<Contract[M][K]> : never
}

/** Gives `prepare` and `change` the one type between them. */
export const prepared = <C extends Call, P>(handler: Prepared<C, P>): Prepared<C, P> => handler
