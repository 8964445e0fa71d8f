import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import { type Call, isRead, methodOf } from '../../../contract/call.ts'
import { Problem, tooMany } from '../../core/errors.ts'
import type { Meters } from '../../run/telemetry/meters.ts'
import { Receiving } from '../receiving.ts'
import { type Claimant, claimantOf, Shares } from '../shares.ts'
import { type Admission, CallQueue, type ShedReason } from './queue.ts'

/** Class of a call under overload. `vital` calls are never refused. */
export type CallClass = 'vital' | 'signIn' | (typeof ORDINARY)[number] | 'export'

/** Classes that share a queue, the most important first. */
const ORDINARY = ['power', 'change', 'read', 'stream'] as const
/**
 * Maximum milliseconds in the queue. Reads and sign-ins are refused early, because pages repeat them. The user of a
 * change waits for it; a page opens its streams once.
 */
const WAIT_MS = { power: 5_000, change: 5_000, read: 750, stream: 5_000, signIn: 1_000, export: 5_000 }

export const BUSY = 'The portal is busy. Please try again shortly.'
/** Retry-After of refused calls, in seconds. Clients add a random part. */
const RETRY_SECONDS = 2

const WAITING_MAX = 256
/** Maximum number of running calls per connection. A call uses its connection for half of its time. */
const PER_CONNECTION = 2
const EXPORTS_MAX = 6
const EXPORTS_WAITING_MAX = 8

/** Calls of a user that may run at once, if there are enough database connections: more than a page makes. */
const USER_SHARE = 4
/** Part of the database connections that calls of one organisation may use. */
const ORGANISATION_SHARE = 0.75
/** Calls that wait for another system: a machine, a provider, the password queue. They occupy no place meanwhile. */
const OUTSIDE = { user: 20, organisation: 200, address: 500, all: 2_000 }
/** The part of them that waits for the LMS or the identity provider of one organisation. */
const TARGET = { organisation: 200 }

/** Returns the share of a user and of an organisation in calls that use `connections`. One connection always remains. */
function sharesOf(connections: number): { readonly user: number; readonly organisation: number } {
  const most = Math.max(1, connections - 1)
  const organisation = Math.min(most, Math.max(USER_SHARE, Math.floor(connections * ORGANISATION_SHARE)))
  return { user: Math.min(organisation, Math.max(USER_SHARE, Math.ceil(connections / 4))), organisation }
}

/** The request's place among the calls of the process. */
interface Held {
  readonly callClass: CallClass
  readonly queue: CallQueue
  readonly rank: number
  place: Admission | null
  isReceiving: boolean
  isWorking: boolean
  /** The connection has sent the reply or has failed. */
  isClosed: boolean
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Class of the request under overload. Requests without one are not limited: they use no database. */
    callClass?: CallClass
  }
  interface FastifyRequest {
    admission: Held | 'refused' | null
  }
}

export interface AdmissionOptions {
  /** Number of database connections of ordinary calls. */
  readonly connections: number
  /** Number of database connections of the calls that sign users in and out. */
  readonly reserved: number
  readonly meters: Meters | null
  /** Multiplier of all deadlines. Default: 1. */
  readonly deadlineFactor?: number
  /** Returns the caller of a request without a query. Default: the network. */
  readonly claimantOf?: (request: IncomingMessage) => Claimant
  /** Receives each call that was refused because of overload. */
  readonly onShed?: (request: FastifyRequest) => void
}

/**
 * Admission control: limits how many calls run at once, and refuses the others with 503 before their body is read and
 * without a session lookup, so that an overloaded process continues to serve as many calls as it can.
 */
export class AdmissionControl {
  readonly #ordinary: CallQueue
  readonly #signIn: CallQueue
  readonly #exports: CallQueue
  /** Queue of the parts of exports whose reply has begun. */
  readonly #parts: CallQueue
  readonly #outside = new Shares(OUTSIDE)
  readonly #targets = new Shares(TARGET)
  readonly #receiving: Receiving
  readonly #meters: Meters | null
  readonly #claimantOf: (request: IncomingMessage) => Claimant
  readonly #onShed: (request: FastifyRequest) => void

  constructor({
    connections,
    reserved,
    meters,
    deadlineFactor = 1,
    claimantOf: given = ({ socket }) => claimantOf(null, socket.remoteAddress ?? ''),
    onShed = () => {},
  }: AdmissionOptions) {
    this.#claimantOf = given
    this.#onShed = onShed
    this.#meters = meters
    this.#receiving = new Receiving(deadlineFactor)
    const waitMs = (...classes: (keyof typeof WAIT_MS)[]) => classes.map((each) => WAIT_MS[each] * deadlineFactor)
    const shared = { waitingMax: WAITING_MAX, strangersShare: true }
    const exports = { limit: EXPORTS_MAX, shares: sharesOf(EXPORTS_MAX) }
    this.#ordinary = new CallQueue({
      ...shared,
      waitMs: waitMs(...ORDINARY),
      limit: connections * PER_CONNECTION,
      shares: sharesOf(connections),
    })
    this.#signIn = new CallQueue({
      ...shared,
      waitMs: waitMs('signIn'),
      limit: reserved * PER_CONNECTION,
      shares: sharesOf(reserved),
    })
    this.#exports = new CallQueue({ ...exports, waitMs: waitMs('export'), waitingMax: EXPORTS_WAITING_MAX })
    this.#parts = new CallQueue({ ...exports, waitMs: [Infinity], waitingMax: Infinity })
    meters?.watchAdmission(() => ({
      ordinary: this.#ordinary.state,
      'sign-in': this.#signIn.state,
      export: this.#exports.state,
    }))
  }

  /** Adds the hooks. Must be called before all other hooks, so that a refused call costs as little as possible. */
  mount(server: FastifyInstance): void {
    server.decorateRequest('admission', null)
    server.addHook('onRequest', (request, reply, done) => this.#admit(request, reply, done))
    server.addHook('preParsing', (request, reply, _payload, done) => {
      this.#awaitBody(request, reply)
      done()
    })
    server.addHook('preValidation', (request, reply, done) => this.#resume(request, reply, done))
    server.addHook('onSend', (request, _reply, _payload, done) => {
      if (isHeld(request)) release(request.admission)
      done()
    })
    server.addHook('preClose', async () => {
      for (const queue of [this.#ordinary, this.#signIn, this.#exports, this.#parts]) queue.close()
    })
  }

  #admit(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
    const { callClass } = request.routeOptions.config
    if (callClass === undefined || callClass === 'vital') return done()
    if (callClass === 'export' && this.#ordinary.isFull) return this.#refuse(request, reply, 'queue full')
    const { queue, rank } = this.#queueOf(callClass)
    const held: Held = { callClass, queue, rank, place: null, isReceiving: false, isWorking: false, isClosed: false }
    request.admission = held
    reply.raw.once('close', () => {
      held.isClosed = true
      if (!held.isWorking) release(held)
    })
    this.#enter(held, request, reply, done)
  }

  /**
   * Runs the work of a call, which keeps its place until the work ends. Throws instead if the client has left.
   * @throws Problem unavailable
   */
  async run<T>(request: FastifyRequest, callback: () => Promise<T>): Promise<T> {
    if (!isHeld(request)) return callback()
    const held = request.admission
    if (held.isClosed) throw clientLeft()
    held.isWorking = true
    try {
      return await callback()
    } finally {
      held.isWorking = false
      if (held.isClosed) release(held)
    }
  }

  /**
   * Runs slow work that needs no place, such as hashing a password or a call of a machine or a provider, and waits for a
   * place again.
   * @throws Problem tooMany, unavailable
   */
  async outside<T>(request: FastifyRequest, callback: () => Promise<T>): Promise<T> {
    if (!isHeld(request)) return callback()
    const held = request.admission
    const claimant = this.#claimantOf(request.raw)
    const end = this.#outside.acquire(claimant)
    if (typeof end === 'string') throw tooMany(RETRY_SECONDS)
    release(held)
    const result = await (async () => callback())().finally(end)
    // The slow work is already done, so the call is admitted before new ones.
    await this.#reenter(held, 0, claimant)
    return result
  }

  /**
   * Counts a call among those that wait for the system of an organisation, until its reply is sent.
   * @throws Problem tooMany
   */
  waitFor(organisation: string, reply: FastifyReply): void {
    const end = this.#targets.acquire({ organisation })
    if (typeof end === 'string') throw tooMany(RETRY_SECONDS)
    reply.raw.once('close', end)
  }

  /**
   * Waits for a place among the calls of its user, after the session lookup of a call that had a place as a call of an
   * unknown caller.
   * @throws Problem unavailable
   */
  async rejoin(request: FastifyRequest): Promise<void> {
    if (!isHeld(request)) return
    release(request.admission)
    await this.#reenter(request.admission, request.admission.rank, this.#claimantOf(request.raw))
  }

  async #reenter(held: Held, rank: number, claimant: Claimant): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    held.place = held.queue.enter(rank, claimant, resolve, (reason) => {
      this.#meters?.countShed(held.callClass, reason)
      reject(new Problem('unavailable', BUSY, RETRY_SECONDS))
    })
    await promise
  }

  /**
   * Runs the reading of the next part of a file whose reply has begun. Only the reading takes a place, so that a client
   * that does not read its file occupies none.
   */
  async part<T>(request: FastifyRequest, read: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const refuse = () => reject(new Problem('unavailable', BUSY, RETRY_SECONDS))
    const place = this.#parts.enter(0, this.#claimantOf(request.raw), resolve, refuse)
    return promise.then(read).finally(() => place.release())
  }

  /** Frees the slot of a request whose reply continues without queries, such as an event stream. */
  release(request: FastifyRequest): void {
    if (isHeld(request)) release(request.admission)
  }

  #queueOf(callClass: Exclude<CallClass, 'vital'>): { readonly queue: CallQueue; readonly rank: number } {
    if (callClass === 'signIn') return { queue: this.#signIn, rank: 0 }
    if (callClass === 'export') return { queue: this.#exports, rank: 0 }
    return { queue: this.#ordinary, rank: ORDINARY.indexOf(callClass) }
  }

  #enter(held: Held, request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
    held.place = held.queue.enter(
      held.rank,
      this.#claimantOf(request.raw),
      () => done(),
      (reason) => this.#refuse(request, reply, reason),
    )
  }

  /** Frees the slot of a call while its client sends the body, so that slow clients do not delay other clients. */
  #awaitBody(request: FastifyRequest, reply: FastifyReply): void {
    if (request.raw.complete || !hasBody(request)) return
    const end = this.#receiving.start(request, this.#claimantOf(request.raw))
    request.raw.once('end', end)
    reply.raw.once('close', end)
    if (!isHeld(request)) return
    request.admission.isReceiving = true
    release(request.admission)
  }

  #resume(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
    if (!isHeld(request) || !request.admission.isReceiving) return done()
    request.admission.isReceiving = false
    this.#enter(request.admission, request, reply, done)
  }

  #refuse(request: FastifyRequest, reply: FastifyReply, reason: ShedReason): void {
    this.#meters?.countShed(request.routeOptions.config.callClass!, reason)
    request.admission = 'refused'
    reply.hijack()
    if (reason === 'client left') return
    this.#onShed(request)
    // Without the other hooks, a refusal costs least.
    reply.raw
      .writeHead(503, {
        'content-type': 'application/json; charset=utf-8',
        'retry-after': String(RETRY_SECONDS),
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      })
      .end(JSON.stringify({ code: 'unavailable', message: BUSY, error: BUSY, requestId: request.id }))
  }
}

export function classOf(call: Call): CallClass {
  if (call.urgency === 'vital' || call.urgency === 'probe') return 'vital'
  if (call.urgency === 'sign-in') return 'signIn'
  if (call.urgency === 'power') return 'power'
  if (call.kind === 'file' && methodOf(call) !== 'GET') return 'export'
  if (call.kind === 'stream') return 'stream'
  return isRead(call) ? 'read' : 'change'
}

const isHeld = (request: FastifyRequest): request is FastifyRequest & { admission: Held } =>
  request.admission !== null && request.admission !== 'refused'

function release(held: Held): void {
  held.place?.release()
  held.place = null
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

/** Returns the refusal of a call whose client has left. It is not logged as an error. */
const clientLeft = (): Problem => new Problem('unavailable', 'The client closed the connection.')
