import type { BodyOf, Call, QueryOf, ReplyOf } from '../../contract/call.ts'
import type { Contract } from '../../contract/contract.ts'
import type { ApiKeyId, OrganisationId } from '../../contract/words/ids.ts'
import type { Db, Tx } from '../db/schema.ts'
import type { Actor } from './actor.ts'
import type { Change } from './audit.ts'
import type { SecondFactorDuty } from './second-factor-duty.ts'

export interface RefusalSubject {
  readonly organisation: OrganisationId
  /** E-mail address from the organisation's identity provider; null: the provider sends none. */
  readonly email: string | null
}

export interface SessionUser {
  readonly name: string | null
  /** True if the user is an instructor of a training. */
  readonly leadsClasses: boolean
}

export interface ApiKey {
  readonly id: ApiKeyId
  readonly hash: Buffer
  readonly scopes: readonly string[]
}

export interface CallContext<C extends Call> {
  readonly query: QueryOf<C>
  readonly body: BodyOf<C>
  /** null only for calls that do not require a session. */
  readonly actor: C['for'] extends 'anyone' ? Actor | null : Actor
  readonly sessionHash: Buffer | null
  /** Facts about the user that were read together with the session; null: the request has no session. */
  readonly sessionUser: SessionUser | null
  /** API key of the request; null if the request has a session, or neither. */
  readonly apiKey: ApiKey | null
  readonly secondFactorDuty: SecondFactorDuty | null
  readonly requestId: string
  /** Returns a header that the call declares, or the signature of a sender that signs the request. */
  header(name: string): string | undefined
  readonly address: string
  /**
   * Runs a wait for a machine or another system. Meanwhile the call occupies no place among the running calls. Must not be
   * called within a transaction.
   * @throws Problem tooMany if the user or the organisation has too many such calls
   */
  outside<T>(wait: () => Promise<T>): Promise<T>
  /**
   * Counts the call among those that wait for the LMS or the identity provider of an organisation.
   * @throws Problem tooMany
   */
  waitFor(organisation: OrganisationId): void
  /** Aborts if the client closes its connection before it has received the reply. */
  readonly closed: AbortSignal
  /** Idle limit of the installation for sessions opened by this call, in minutes; null: no limit. */
  readonly idleMinutes: number | null
  /** SHA-256 of the session cookie, also for calls that ignore sessions; null: no cookie was sent. */
  readonly browserSession: Buffer | null
  readonly knownBrowser: string | undefined
  rememberBrowser(cookie: string): void
  readonly signInCookie: string | undefined
  setSignInCookie(token: string | null): void
  /** Returns the cookie that proves that this browser started or completed an LMS launch. */
  launchCookie(launch: string): string | undefined
  /** Sets a cookie that browsers also send in a frame of the LMS's page. */
  setLaunchCookie(launch: string, proof: string | null, seconds?: number): void
  /** Sets the session cookie; null clears the cookie. */
  setSessionCookie(uid: string | null): void
  /** Sends the reply with status 503. The health report uses it when a check fails. */
  answerUnavailable(): void
  setActor(actor: Actor): void
  /** Sets the organisation and the user in the audit row of a refused sign-in, for requests that name neither. */
  setRefusalSubject(concerns: RefusalSubject): void
  readonly auditChange: (before: Change['before'], after: Change['after']) => void
}

/** A call that only reads. It receives the database without a transaction. */
export type ReadHandler<C extends Call> = (db: Db, context: CallContext<C>) => Promise<ReplyOf<C>>

export type WriteHandler<C extends Call> = (tx: Tx, context: CallContext<C>) => Promise<ReplyOf<C>>

/**
 * A call that changes data after slow preparation, such as hashing a password. No transaction is open during the
 * preparation.
 */
export interface PreparedHandler<C extends Call, P = never> {
  prepare(db: Db, context: CallContext<C>): Promise<P>
  change(tx: Tx, context: CallContext<C>, prepared: P): Promise<ReplyOf<C>>
}

/** A call that stays open: `send` writes one event; the call ends when `closed` aborts. */
export type StreamHandler<C extends Call> = (
  db: Db,
  context: CallContext<C>,
  stream: { send(event: ReplyOf<C>): void; readonly closed: AbortSignal },
) => Promise<void>

/** A file that is streamed to the client after the transaction has ended. */
export interface FileReply {
  readonly name: string
  readonly type: string
  readonly content: AsyncIterable<string> | Iterable<string | Buffer>
}

/**
 * The authorisation and the audit row share the transaction `tx`. The content of the file is read afterwards, from
 * `db`.
 */
export type FileHandler<C extends Call> = (tx: Tx, context: CallContext<C>, db: Db) => Promise<FileReply>

export type Handler<C extends Call> = C extends { kind: 'stream' }
  ? StreamHandler<C>
  : C extends { kind: 'file' }
    ? FileHandler<C>
    : C extends { route: `GET ${string}` } | { kind: 'read' }
      ? ReadHandler<C>
      : // oxlint-disable-next-line typescript/no-explicit-any -- what is prepared is each handler's own affair
        WriteHandler<C> | PreparedHandler<C, any>

export type Handlers = { [M in keyof Contract]: HandlersOf<M> }
export type HandlersOf<M extends keyof Contract> = {
  [K in keyof Contract[M]]: Contract[M][K] extends Call ? Handler<Contract[M][K]> : never
}

export const prepared = <C extends Call, P>(handler: PreparedHandler<C, P>): PreparedHandler<C, P> => handler
