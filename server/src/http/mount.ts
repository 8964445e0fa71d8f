import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Call } from '@trainyard/contract/call.ts'
import { contract } from '@trainyard/contract/contract.ts'
import { OPEN_PER_PERSON } from '@trainyard/contract/words/limits.ts'
import type { SecondFactorRule } from '@trainyard/contract/words/sign-in.ts'
import type { Db } from '../db/schema.ts'
import type { Actor } from '../core/actor.ts'
import {
  admit,
  authenticate,
  browserCookie,
  type Identity,
  NOBODY,
  sessionCookie,
  signInCookie,
} from './authenticate.ts'
import { type Change, writeAudit } from '../core/audit.ts'
import { BROWSER_SECONDS, hashToken, SIGN_IN_SECONDS } from '../core/tokens.ts'
import type {
  Asked,
  Changer,
  Concerns,
  FileReply,
  Filer,
  Handler,
  Handlers,
  Prepared,
  Reader,
  Stream,
} from '../core/handler.ts'
import { refuseWithoutFactor } from '../core/second-factor-duty.ts'
import { GUESS_BYTES, isGuess } from './limits.ts'
import type { Tracer } from '../telemetry/telemetry.ts'
import type { RateLimits } from './rate-limits.ts'
import { answerOnce, storedReply } from './stored-reply.ts'
import { Problem } from '../core/errors.ts'
import { OpenAtOnce } from './open-at-once.ts'
import type { RefusalAudit } from './refusals.ts'
import { refuseUnstorable } from './storable.ts'
import { openStream } from './stream.ts'
import { within } from './watch-calls.ts'

export interface MountOptions {
  readonly db: Db
  readonly refusals: RefusalAudit
  readonly limits: RateLimits
  /** Cookies are marked Secure where the portal is reached by https. */
  readonly secureCookies: boolean
  /** Aborts when the server is closing: streams end then. */
  readonly closing: AbortSignal
  /** Keyed hash of a request's body: tells two apart without keeping either. */
  readonly fingerprint: (text: string) => Buffer
  /** Seconds that a session lasts, and its cookie with it. */
  readonly sessionSeconds: number
  /** The installation's own rule, where an organisation has none. */
  readonly secondFactor: SecondFactorRule
  /** Minutes after which an unused session is over, where its organisation says nothing; null: it is not. */
  readonly idleMinutes: number | null
  /** null: nothing is traced. */
  readonly tracer: Tracer | null
}

const nothing = z.strictObject({})
const refusal = z.object({
  code: z.string(),
  message: z.string(),
  error: z.string(),
  requestId: z.string(),
})

const refusalOf = ({ refusal: more }: Call) => (more === undefined ? refusal : refusal.extend(more.partial().shape))

/** Mounts every call of the contract: session, role, shapes, one transaction, reply. */
export function mountCalls(server: FastifyInstance, handlers: Handlers, options: MountOptions): void {
  const streams = new OpenAtOnce(OPEN_PER_PERSON)
  for (const [moduleName, calls] of Object.entries(contract)) {
    for (const [callName, call] of Object.entries(calls) as [string, Call][]) {
      const ofModule = handlers[moduleName as keyof Handlers] as Record<string, Handler<Call>>
      mountCall(server, `${moduleName}.${callName}`, call, ofModule[callName]!, options, streams)
    }
  }
}

const TOO_MANY_OPEN = `You have ${OPEN_PER_PERSON} screens open that are told what changes. Close one of them.`

/** The parts of its audit row that only the call itself finds out: who acted, and what is otherwise since. */
interface Acting {
  actor: Actor | null
  change?: Change
  concerns?: Concerns
}

function mountCall(
  server: FastifyInstance,
  name: string,
  call: Call,
  handler: Handler<Call>,
  options: MountOptions,
  streams: OpenAtOnce,
) {
  const identities = new WeakMap<FastifyRequest, Identity>()
  const actings = new WeakMap<FastifyRequest, Acting>()
  const limited = `${call.method} ${call.path}`
  server.route({
    method: call.method,
    url: `/api${call.path}`,
    config: { rawBody: call.signed === true, call: name },
    ...(isGuess(limited) && { bodyLimit: GUESS_BYTES }),
    schema: {
      summary: call.summary,
      querystring: call.query ?? nothing,
      ...(call.body ? { body: call.body } : call.method !== 'GET' && { body: nothing.nullish() }),
      response: { ...(!call.stream && !call.file && { 200: call.reply }), '4xx': refusalOf(call) },
    },
    // Before the body is read: who may not make a call learns nothing of its shape.
    onRequest: async (request, reply) => {
      // Passwords, tickets and sessions are in replies, and who is told what changes: nothing of it is kept on the way.
      reply.header('cache-control', 'no-store')
      // Calls that anyone may make look at no session: a stale one never stands in the way of signing in.
      const cookieName = sessionCookie(options.secureCookies)
      const asked = { cookieName, isUse: call.stream !== true, rule: options.secondFactor }
      const identity = call.roles === 'anyone' ? NOBODY : await authenticate(options.db, request, asked)
      identities.set(request, identity)
      admit(call, identity)
      await options.limits.count(request, reply, limited, identity.actor)
      refuseWithoutFactor(identity.secondFactorDuty, call.beforeSecondFactor)
    },
    onError: async (request, _reply, error) => {
      const acting = actings.get(request)
      const { actor } = acting ?? identities.get(request) ?? NOBODY
      const { id: requestId, ip: address, query, body } = request
      const asked = call.signed ? { query } : { query, body }
      await options.refusals.write(call.roles, error, {
        name,
        requestId,
        actor,
        address,
        asked,
        concerns: acting?.concerns,
      })
    },
    preValidation: async (request) => refuseUnstorable(request.query, request.body),
    preHandler: (request, reply) => options.limits.countRead(request, reply, limited),
    handler: within(options.tracer, async (request, reply) => {
      const acting: Acting = { actor: identities.get(request)!.actor }
      actings.set(request, acting)
      const asked = askedOf(request, reply, identities.get(request)!, acting, options)
      if (call.stream) {
        const leave = streams.enter(acting.actor!.id)
        if (leave === null) throw new Problem('tooMany', TOO_MANY_OPEN, 60)
        reply.raw.once('close', leave)
        return openStream(reply, options, handler as unknown as Stream<Call>, asked).finally(leave)
      }
      if (call.method === 'GET') return (handler as Reader<Call>)(options.db, asked)
      if (call.file) {
        const filer = handler as unknown as Filer<Call>
        const read: Changer<Call> = (tx) => filer(tx, asked, options.db)
        return sendFile(reply, (await change(name, call, read, options, asked, acting, request)) as FileReply)
      }
      return change(name, call, handler as Changer<Call> | Prepared<Call, unknown>, options, asked, acting, request)
    }),
  })
}

const sendFile = (reply: FastifyReply, { name, type, lines }: FileReply): FastifyReply =>
  reply
    .type(type.startsWith('text/') || type.endsWith('json') ? `${type}; charset=utf-8` : type)
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(Readable.from(lines))

async function change(
  name: string,
  call: Call,
  handler: Changer<Call> | Prepared<Call, unknown>,
  { db, fingerprint, tracer }: MountOptions,
  asked: Asked<Call>,
  acting: Acting,
  request: FastifyRequest,
): Promise<unknown> {
  const key = call.creates ? idempotencyKey(request) : undefined
  const { actor, requestId, query, body, address } = asked
  const once =
    key === undefined || actor === null
      ? null
      : { actor: actor.id, key, call: name, body: { query, body }, fingerprint }
  if (typeof handler !== 'function' && once !== null) {
    // A call that was answered before needs no slow work again.
    const kept = await storedReply(db, once)
    if (kept !== undefined) return kept
  }
  const ready = typeof handler === 'function' ? undefined : await handler.prepare(db, asked)
  return db.transaction().execute(async (tx) => {
    // The rows that it changes keep it, so that the worker goes on with the same trace; see 097-traces.
    if (tracer !== null) await sql`select set_config('trainyard.trace', ${tracer.traceparent()}, true)`.execute(tx)
    const answer = async () => {
      const reply = typeof handler === 'function' ? await handler(tx, asked) : await handler.change(tx, asked, ready)
      // The body that a provider sends is not ours to store.
      const told = call.signed ? { query } : { query, body }
      await writeAudit(tx, { call: name, requestId, actor: acting.actor, address, asked: told, change: acting.change })
      return reply
    }
    return once === null ? answer() : answerOnce(tx, once, answer)
  })
}

function idempotencyKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || key === '' || key.length > 128) {
    throw new Problem('malformed', 'Idempotency-Key must be 1 to 128 characters long.')
  }
  return key
}

function askedOf(
  request: FastifyRequest,
  reply: FastifyReply,
  identity: Identity,
  acting: Acting,
  options: MountOptions,
): Asked<Call> {
  const cookieName = sessionCookie(options.secureCookies)
  const browserName = browserCookie(options.secureCookies)
  const signInName = signInCookie(options.secureCookies)
  const session = request.cookies[cookieName]
  const cookie = { path: '/', httpOnly: true, sameSite: 'strict', secure: options.secureCookies } as const
  return {
    query: request.query as never,
    body: request.body,
    actor: identity.actor as never,
    sessionHash: identity.sessionHash,
    secondFactorDuty: identity.secondFactorDuty,
    requestId: request.id,
    header(name) {
      const value = request.headers[name]
      return typeof value === 'string' ? value : undefined
    },
    address: request.ip,
    idleMinutes: options.idleMinutes,
    setSessionCookie(uid) {
      if (uid === null) reply.clearCookie(cookieName, cookie)
      else reply.setCookie(cookieName, uid, { ...cookie, maxAge: options.sessionSeconds })
    },
    browserSession: session === undefined ? null : hashToken(session),
    knownBrowser: request.cookies[browserName],
    rememberBrowser(value) {
      reply.setCookie(browserName, value, { ...cookie, maxAge: BROWSER_SECONDS })
    },
    signInCookie: request.cookies[signInName],
    setSignInCookie(token) {
      if (token === null) reply.clearCookie(signInName, cookie)
      else reply.setCookie(signInName, token, { ...cookie, maxAge: SIGN_IN_SECONDS })
    },
    answerUnavailable: () => void reply.code(503).header('retry-after', 5),
    actAs: (actor) => void (acting.actor = actor),
    concern: (concerns) => void (acting.concerns = concerns),
    auditChange: (before, after) => void (acting.change = { before, after }),
  }
}
