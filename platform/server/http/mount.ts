import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type Call, isRead, limitsOf, methodOf, pathOf, replyOf, sizeOf } from '../../contract/call.ts'
import { connectedContract } from '../../contract/contract.ts'
import type { ApiKeyId } from '../../contract/words/ids.ts'
import { OPEN_STREAMS_PER_USER } from '../../contract/words/limits.ts'
import type { SecondFactorRule } from '../../contract/words/sign-in.ts'
import type { Db } from '../db/schema.ts'
import type { Actor } from '../core/actor.ts'
import {
  requireRole,
  requireFreshProof,
  requireScope,
  hasApiKey,
  authenticate,
  browserCookie,
  type Identity,
  ANONYMOUS,
  sessionCookie,
  signInCookie,
  launchCookie,
} from './authenticate.ts'
import { type Change, writeAudit } from '../core/audit.ts'
import { BROWSER_SECONDS, hashToken, SIGN_IN_SECONDS } from '../core/tokens.ts'
import type {
  CallContext,
  WriteHandler,
  RefusalSubject,
  FileReply,
  FileHandler,
  Handler,
  Handlers,
  PreparedHandler,
  ReadHandler,
  StreamHandler,
} from '../core/handler.ts'
import { requireSecondFactor } from '../core/second-factor-duty.ts'
import { OF_PEOPLE } from './limits.ts'
import type { RateLimits } from './rate-limits.ts'
import { replyOnce, storedReply } from './stored-reply.ts'
import { Problem } from '../core/errors.ts'
import type { DiskState } from './disk-state.ts'
import { type AdmissionControl, classOf } from './admission/admission.ts'
import type { Callers } from './callers.ts'
import type { RefusalAudit } from './refusals.ts'
import { claimantOf, Shares } from './shares.ts'
import { openStream } from './stream.ts'
import { sendFile } from './file-reply.ts'

export interface MountOptions {
  readonly db: Db
  /** Connections for the vital calls and sign-in. */
  readonly reserved: Db
  readonly disk: DiskState
  readonly refusals: RefusalAudit
  readonly admission: AdmissionControl
  readonly callers: Callers
  readonly limits: RateLimits
  readonly secureCookies: boolean
  readonly closing: AbortSignal
  /** Keyed hash of a request body, to compare bodies without storing them. */
  readonly fingerprint: (text: string) => Buffer
  readonly sessionSeconds: number
  readonly secondFactor: SecondFactorRule
  readonly idleMinutes: number | null
}

const nothing = z.strictObject({})
const refusal = z.object({
  code: z.string(),
  message: z.string(),
  error: z.string(),
  requestId: z.string(),
})

const refusalOf = ({ refusal: more }: Call) => (more === undefined ? refusal : refusal.extend(more.partial().shape))

export function mountCalls(server: FastifyInstance, handlers: Handlers, options: MountOptions): void {
  const streams = new Shares(STREAMS)
  const downloads = new Shares(DOWNLOADS)
  for (const [moduleName, calls] of Object.entries(connectedContract())) {
    for (const [callName, call] of Object.entries(calls) as [string, Call][]) {
      const moduleHandlers = (handlers as unknown as Record<string, Record<string, Handler<Call>>>)[moduleName]!
      mountCall(server, `${moduleName}.${callName}`, call, moduleHandlers[callName]!, options, { streams, downloads })
    }
  }
}

/** Maximum number of open streams. Each needs some memory, and a query for each change that it shows. */
const STREAMS = { user: OPEN_STREAMS_PER_USER, organisation: 1_500, all: 6_000 }
const ALL_OPEN = 'The portal has too many live pages open. Please try again shortly.'
const TOO_MANY_OPEN = `You have ${OPEN_STREAMS_PER_USER} live pages open. Close one to open another.`
/** Maximum number of files that are sent at once. Each needs some memory. */
const DOWNLOADS = { user: 4, organisation: 100, address: 100, all: 1_000 }
const TOO_MANY_DOWNLOADS = `You have ${DOWNLOADS.user} downloads in progress. Wait until one has ended.`
const ALL_DOWNLOADS = 'Too many downloads are in progress. Please try again shortly.'

interface AuditContext {
  actor: Actor | null
  /** Set for a request with an API key. */
  readonly apiKey?: ApiKeyId | undefined
  change?: Change
  concerns?: RefusalSubject
}

function mountCall(
  server: FastifyInstance,
  name: string,
  call: Call,
  handler: Handler<Call>,
  mountOptions: MountOptions,
  { streams, downloads }: { readonly streams: Shares; readonly downloads: Shares },
) {
  const options = isReserved(call) ? { ...mountOptions, db: mountOptions.reserved } : mountOptions
  const identities = new WeakMap<FastifyRequest, Identity>()
  const auditContexts = new WeakMap<FastifyRequest, AuditContext>()
  const named = [...limitsOf(call), ...OF_PEOPLE]
  const size = sizeOf(call)
  const authentication = {
    cookieName: sessionCookie(options.secureCookies),
    isUse: call.kind !== 'stream',
    rule: options.secondFactor,
  }
  server.route({
    method: methodOf(call),
    url: `/api${pathOf(call)}`,
    config: { rawBody: call.kind === 'signed', call: name, callClass: classOf(call), valuesMax: size.values },
    bodyLimit: size.bytes,
    schema: {
      summary: call.does,
      querystring: call.query ?? nothing,
      ...(call.headers && { headers: call.headers }),
      ...(call.body ? { body: call.body } : methodOf(call) !== 'GET' && { body: nothing.nullish() }),
      response: {
        ...(call.kind !== 'stream' && call.kind !== 'file' && { 200: replyOf(call) }),
        '4xx': refusalOf(call),
      },
    },
    // Authorization precedes the reading of the body, so an unauthorized caller learns nothing about its shape.
    onRequest: async (request, reply) => {
      // Replies and event streams may contain passwords, tickets and session tokens: no cache may store them.
      reply.header('cache-control', 'no-store')
      // Public calls ignore the session, so a stale cookie never prevents signing in.
      const identity =
        call.for === 'anyone'
          ? ANONYMOUS
          : await options.admission.run(request, () =>
              options.callers.identify(request, options, () => authenticate(options.db, request, authentication)),
            )
      identities.set(request, identity)
      if (identity.actor === null && hasApiKey(request)) {
        reply.header('www-authenticate', 'Bearer error="invalid_token"')
      }
      await authorise(request, reply, identity)
      requireProofs(identity)
    },
    onError: async (request, _reply, error) => {
      const auditContext = auditContexts.get(request)
      const identity = identities.get(request) ?? ANONYMOUS
      const { actor } = auditContext ?? identity
      const { id: requestId, ip: address, query, body } = request
      const audited = { query, ...(call.kind !== 'signed' && { body }), apiKey: identity.apiKey?.id }
      await options.refusals.write(call.for, error, {
        name,
        requestId,
        actor,
        address,
        request: audited,
        concerns: auditContext?.concerns,
        isRead: isRead(call) && call.kind !== 'file',
      })
    },
    preValidation: async (request) => rejectUnstorableText(request.query, request.body),
    preHandler: (request, reply) => options.limits.countLogin(request, reply, named),
    handler: (request, reply) => options.admission.run(request, () => handle(request, reply)),
  })

  /** Checks role and rate limit. A call that the role refuses counts like any other. */
  async function authorise(request: FastifyRequest, reply: FastifyReply, identity: Identity): Promise<void> {
    try {
      requireScope(call, identity, reply)
      requireRole(call, identity)
    } catch (refusal) {
      await options.limits.countRefusal(request, identity.actor?.id)
      throw refusal
    }
    await options.limits.count(request, reply, named, identity)
  }

  function requireProofs(identity: Identity): void {
    requireSecondFactor(identity.secondFactorDuty, call.before?.includes('second factor'))
    requireFreshProof(call, identity)
  }

  /**
   * Throws if the caller has lost the right to make a change. The body, a place among the running calls and the
   * preparation can take half a minute, during which a session may end.
   */
  async function authoriseAgain(tx: Db, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (call.for === 'anyone') return
    const identity = await authenticate(tx, request, { ...authentication, isUse: false })
    requireScope(call, identity, reply)
    requireRole(call, identity)
    requireProofs(identity)
  }

  async function handle(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const { actor, apiKey } = identities.get(request)!
    const auditContext: AuditContext = { actor, apiKey: apiKey?.id }
    auditContexts.set(request, auditContext)
    const context = contextOf(request, reply, identities.get(request)!, auditContext, options)
    const authorised = (tx: Db) => authoriseAgain(tx, request, reply)
    const claimant = claimantOf(actor, request.ip)
    if (call.kind === 'stream') {
      const release = streams.acquire(claimant)
      if (release === 'user') throw new Problem('tooMany', TOO_MANY_OPEN, 60)
      if (typeof release === 'string') throw new Problem('unavailable', ALL_OPEN, 30)
      reply.raw.once('close', release)
      const opened = () => options.admission.release(request)
      return openStream(reply, { ...options, opened }, handler as unknown as StreamHandler<Call>, context).finally(
        release,
      )
    }
    if (call.kind === 'file') {
      const release = downloads.acquire(claimant)
      if (release === 'user') throw new Problem('tooMany', TOO_MANY_DOWNLOADS, 10)
      if (typeof release === 'string') throw new Problem('unavailable', ALL_DOWNLOADS, 10)
      reply.raw.once('close', release)
      const filer = handler as unknown as FileHandler<Call>
      const read = ((tx: Parameters<FileHandler<Call>>[0]) =>
        filer(tx, context, options.db)) as unknown as WriteHandler<Call>
      const file =
        methodOf(call) === 'GET'
          ? options.db.transaction().execute((tx) => filer(tx, context, options.db))
          : change(name, call, read, { ...options, authorised }, context, auditContext, request)
      return sendFile(reply, (await file) as FileReply, (part) => options.admission.part(request, part))
    }
    if (isRead(call)) return (handler as ReadHandler<Call>)(options.db, context)
    return change(
      name,
      call,
      handler as WriteHandler<Call> | PreparedHandler<Call, unknown>,
      { ...options, authorised },
      context,
      auditContext,
      request,
    )
  }
}

async function change(
  name: string,
  call: Call,
  handler: WriteHandler<Call> | PreparedHandler<Call, unknown>,
  { db, disk, fingerprint, admission, authorised }: MountOptions & { authorised(tx: Db): Promise<void> },
  callContext: CallContext<Call>,
  auditContext: AuditContext,
  request: FastifyRequest,
): Promise<unknown> {
  const key = call.once ? idempotencyKey(request) : undefined
  const { actor, requestId, query, body, address } = callContext
  const idempotentRequest =
    key === undefined || actor === null
      ? null
      : { actor: actor.id, key, call: name, body: { query, body }, fingerprint }
  if (typeof handler !== 'function' && idempotentRequest !== null) {
    const stored = await storedReply(db, idempotentRequest)
    if (stored !== undefined) return stored
  }
  let preparation: unknown
  if (typeof handler !== 'function') {
    try {
      preparation = await admission.outside(request, () => handler.prepare(db, callContext))
    } catch (error) {
      // The refusal may be the effect of the same request, which was completed in the meantime.
      const stored = idempotentRequest === null ? undefined : await storedReply(db, idempotentRequest)
      if (stored === undefined) throw error
      return stored
    }
  }
  const reply = await db.transaction().execute(async (tx) => {
    await authorised(tx)
    const answer = async () => {
      const reply =
        typeof handler === 'function'
          ? await handler(tx, callContext)
          : await handler.change(tx, callContext, preparation)
      // The body of a provider's webhook is not stored in the audit.
      const recorded = { query, ...(call.kind !== 'signed' && { body }), apiKey: auditContext.apiKey }
      await writeAudit(tx, {
        call: name,
        requestId,
        actor: auditContext.actor,
        address,
        request: recorded,
        change: auditContext.change,
      })
      return reply
    }
    return idempotentRequest === null ? answer() : replyOnce(tx, idempotentRequest, answer)
  })
  disk.written()
  return reply
}

function idempotencyKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || key === '' || key.length > 128) {
    throw new Problem('malformed', 'Idempotency-Key must be 1 to 128 characters long.')
  }
  return key
}

/** Returns a signal that aborts if the client closes its connection before it has received the reply. */
function closedSignal({ raw }: FastifyReply): AbortSignal {
  const closed = new AbortController()
  if (raw.destroyed) closed.abort()
  else raw.once('close', () => raw.writableFinished || closed.abort())
  return closed.signal
}

function contextOf(
  request: FastifyRequest,
  reply: FastifyReply,
  identity: Identity,
  auditContext: AuditContext,
  options: MountOptions,
): CallContext<Call> {
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
    sessionUser: identity.sessionUser,
    apiKey: identity.apiKey,
    secondFactorDuty: identity.secondFactorDuty,
    requestId: request.id,
    header(name) {
      const value = request.headers[name]
      return typeof value === 'string' ? value : undefined
    },
    address: request.ip,
    outside: (wait) => options.admission.outside(request, wait),
    waitFor: (organisation) => options.admission.waitFor(organisation, reply),
    get closed() {
      return closedSignal(reply)
    },
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
    launchCookie: (launch) => request.cookies[launchCookie(launch, options.secureCookies)],
    setLaunchCookie(launch, proof, seconds = SIGN_IN_SECONDS) {
      const name = launchCookie(launch, options.secureCookies)
      // In a frame of another site, browsers send only cookies that are partitioned by that site.
      const framed = options.secureCookies
        ? ({ sameSite: 'none', partitioned: true } as const)
        : { sameSite: 'lax' as const }
      if (proof === null) reply.clearCookie(name, { ...cookie, ...framed })
      else reply.setCookie(name, proof, { ...cookie, ...framed, maxAge: seconds })
    },
    answerUnavailable: () => void reply.code(503).header('retry-after', 5),
    setActor: (actor) => void (auditContext.actor = actor),
    setRefusalSubject: (concerns) => void (auditContext.concerns = concerns),
    auditChange: (before, after) => void (auditContext.change = { before, after }),
  }
}

/** Rejects text that PostgreSQL cannot store. Does not recurse, so that deep nesting is harmless. */
function rejectUnstorableText(...parts: unknown[]): void {
  const open = [...parts]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value === 'string') refuseText(value)
    else if (typeof value === 'object' && value !== null) {
      for (const [key, part] of Object.entries(value)) {
        if (typeof part === 'string') refuseText(part, key)
        else if (part !== null && typeof part === 'object') open.push(part)
      }
    }
  }
}

function refuseText(text: string, key?: string): void {
  if (text.isWellFormed() && !text.includes('\0')) return
  const field = key === undefined || /^\d+$/.test(key) ? 'A field of the request' : key.slice(0, 60)
  throw new Problem('malformed', `${field} contains a character that cannot be stored.`)
}

/** Returns whether connections to the database are reserved for a call. */
const isReserved = ({ urgency }: Call): boolean => urgency === 'vital' || urgency === 'sign-in'
