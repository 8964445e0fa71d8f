import type { z } from 'zod'
import type { Role } from './words/role.ts'

/** The allowed callers of a call: anyone at all, anyone signed in, or the roles named. */
export type Callers = 'anyone' | 'signed in' | readonly [Role, ...Role[]]

/** One call of the API: its place on the wire, who may make it, and what goes in and out. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below `/api`. */
  readonly path: `/${string}`
  readonly roles: Callers
  readonly summary: string
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  readonly reply: z.ZodType
  /** Takes an Idempotency-Key: the same key and body gives the first answer again. */
  readonly creates?: true
  /** May also be made by somebody who has to settle something of their account first: change a password they were given. */
  readonly settlesAccount?: true
  /** Fields of a refusal beside code and sentence, where its code asks for more. */
  readonly refusal?: z.ZodObject
  /** Answered also to who has yet to set up the second factor that their role needs. */
  readonly beforeSecondFactor?: true
  /** Signed by its sender over the raw body: the handler is given that as it came, and looks at the signature. */
  readonly signed?: true
  /** Answers with a stream of server-sent events, each one `reply`. */
  readonly stream?: true
  /** Answers with a file, sent as it is read; what refuses it is JSON as ever. */
  readonly file?: true
}

export const defineCall = <const C extends Call>(call: C): C => call

type In<S> = S extends z.ZodType ? z.output<S> : undefined
export type QueryOf<C extends Call> = In<C['query']>
export type BodyOf<C extends Call> = In<C['body']>
export type ReplyOf<C extends Call> = z.output<C['reply']>
