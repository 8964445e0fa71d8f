import type { z } from 'zod'
import type { Role } from './words/role.ts'
import type { Scope } from './words/scope.ts'

export type Callers = 'anyone' | 'signed in' | readonly [Role, ...Role[]]

/**
 * Requirement of a call that the user has confirmed their identity within the last minutes (`CONFIRMED_MINUTES`):
 * `confirm` for calls that change how users sign in, otherwise `none` with the reason. The confirmation prevents such
 * calls from an unattended browser and from a session with a single factor.
 */
export type FreshProof = 'confirm' | `none: ${string}`

/** Marks a call of the public API, which API keys may make and whose shape stays compatible. */
export interface PublicCall {
  /** Scope that an API key needs, or null if every key may make the call. */
  readonly scope: Scope | null
  /** Name of the operation in the API reference and in generated clients. Never renamed. */
  readonly operation: string
  /** Media type of the reply, if it is a file. */
  readonly produces?: `${string}/${string}`
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: `/${string}`
  readonly roles: Callers
  readonly freshProof: FreshProof
  readonly summary: string
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** Request headers of this call, named in lower case. Must accept other headers (`z.looseObject`). */
  readonly headers?: z.ZodObject
  readonly reply: z.ZodType
  /**
   * Allows the call also to users who are instructors of a training (`training_instructor`), for their trainings only.
   * The handler must use `classInScope` or `machinesOfClasses`.
   */
  readonly instructors?: true
  /** The call accepts an Idempotency-Key. Repeating the key with the same body returns the first reply again. */
  readonly creates?: true
  /** Also allowed for users who must first change a password that another person chose. */
  readonly allowedBeforePasswordChange?: true
  readonly refusal?: z.ZodObject
  /** Also allowed for users who have not yet set up the second factor that their role requires. */
  readonly allowedBeforeSecondFactor?: true
  /** The sender signs the raw body. The handler receives it unparsed and verifies the signature. */
  readonly signed?: true
  /** The reply is a stream of server-sent events, each of the shape `reply`. */
  readonly stream?: true
  readonly file?: true
  readonly publicApi?: PublicCall
}

export const defineCall = <const C extends Call>(call: C): C => call

type In<S> = S extends z.ZodType ? z.output<S> : undefined
export type QueryOf<C extends Call> = In<C['query']>
export type BodyOf<C extends Call> = In<C['body']>
export type ReplyOf<C extends Call> = z.output<C['reply']>
