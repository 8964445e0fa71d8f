import { z } from 'zod'
import './messages.ts'
import type { Limit } from './limits.ts'
import type { Role } from './words/role.ts'
import type { Scope } from './scope.ts'

type Callers = 'anyone' | 'signed in' | readonly [Role, ...Role[]]

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** Marks a call of the public API, which API keys may make and whose shape stays compatible. */
interface PublicCall {
  /** Scope that an API key needs, or null if every key may make the call. */
  readonly scope: Scope | null
  /** Name of the operation in the API reference and in generated clients. Never renamed. */
  readonly operation: string
  /** Media type of the reply, if it is a file. */
  readonly produces?: `${string}/${string}`
}

/** Maximum size of a body. Many small values cost far more CPU time than their bytes suggest. */
export interface BodySize {
  readonly bytes: number
  /** Maximum number of values: texts, numbers, lists, objects and so on. */
  readonly values: number
}

/** All that is known about a call. What is usual is left out: see the functions below. */
export interface Call {
  /** Method and path below /api. */
  readonly route: `${Method} /${string}`
  readonly for: Callers
  /** Description of the call, for the API reference. */
  readonly does: string
  /** Follows the user's name in the audit log. */
  readonly audit?: string
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** Request headers of this call, named in lower case. Must accept other headers (`z.looseObject`). */
  readonly headers?: z.ZodObject
  readonly reply?: z.ZodType
  /** Fields that a refusal adds. */
  readonly refusal?: z.ZodObject
  /**
   * Allows the call also to users who are instructors of a training (`training_instructor`), for their trainings only.
   * The handler must use `classInScope` or `machinesOfClasses`.
   */
  readonly instructors?: true
  /**
   * `fresh` for calls that change how users sign in: the user must have confirmed their identity within the last minutes
   * (`CONFIRMED_MINUTES`). Prevents such calls from an unattended browser and from a session with a single factor.
   */
  readonly proof?: 'fresh'
  /** The call accepts an Idempotency-Key. Repeating the key with the same body returns the first reply again. */
  readonly once?: true
  readonly limit?: Limit | readonly Limit[]
  /** `list`: 1,000 machines or learners with up to three values each. `document`: a file in base64. */
  readonly size?: 'list' | 'document' | BodySize
  /**
   * Under overload, `vital` and `probe` are never refused, `sign-in` and `power` as the last. `vital` and `sign-in` have
   * connections to the database of their own, so that they answer while all others are in use.
   */
  readonly urgency?: 'vital' | 'probe' | 'sign-in' | 'power'
  /** Duties before which a user may make the call. */
  readonly before?: readonly ('new password' | 'second factor')[]
  /**
   * `stream`: server-sent events, each of the shape `reply`. `signed`: the sender signs the raw body, which the handler
   * receives unparsed and verifies. `read`: a POST that changes nothing, for an input too large for an address.
   */
  readonly kind?: 'stream' | 'file' | 'signed' | 'read'
  readonly public?: PublicCall
}

type Audited<C> = C extends { readonly route: `GET ${string}` } | { readonly kind: 'read' }
  ? unknown
  : { readonly audit: string }

/** Declares a call. A change without a text for the audit log is a type error. */
export const call = <const C extends Call>(declared: C & Audited<C>): C => declared

const message = z.object({ message: z.string().meta({ examples: ['Done.'] }) })
type In<S> = S extends z.ZodType ? z.output<S> : undefined
export type QueryOf<C extends Call> = In<C['query']>
export type BodyOf<C extends Call> = In<C['body']>
export type RefusalOf<C extends Call> = In<C['refusal']>
export type ReplyOf<C extends Call> = C['reply'] extends z.ZodType ? z.output<C['reply']> : z.output<typeof message>

export const methodOf = ({ route }: Pick<Call, 'route'>): Method => route.slice(0, route.indexOf(' ')) as Method
/** Returns true for a call that changes nothing: it has no transaction, and only its refusals are audited. */
export const isRead = (call: Call): boolean => methodOf(call) === 'GET' || call.kind === 'read'
export const pathOf = ({ route }: Pick<Call, 'route'>): string => route.slice(route.indexOf(' ') + 1)
export const replyOf = ({ reply = message }: Call): z.ZodType => reply
export const limitsOf = ({ limit = [] }: Call): readonly Limit[] => ('name' in limit ? [limit] : limit)

export const MEGABYTE = 1024 * 1024
const SIZES: Readonly<Record<'list' | 'document', BodySize>> = {
  // An order for 1,000 learners takes a quarter of it.
  list: { bytes: MEGABYTE, values: 4_500 },
  document: { bytes: MEGABYTE, values: 1_000 },
}
export const USUAL_SIZE: BodySize = { bytes: 65_536, values: 1_000 }
export const sizeOf = ({ size = USUAL_SIZE }: Call): BodySize => (typeof size === 'string' ? SIZES[size] : size)

/** Part of a call that the web app contains. */
export interface WireCall {
  readonly method: string
  readonly path: string
  readonly input: 'query' | 'body' | null
  readonly creates: boolean
  readonly reads: boolean
  /** True for calls that need no session. */
  readonly isOpen: boolean
}
