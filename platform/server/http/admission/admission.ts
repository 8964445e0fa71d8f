import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import { Problem, tooMany } from '../../core/errors.ts'
import type { Meters } from '../../run/telemetry/meters.ts'
import { Receiving } from '../receiving.ts'
import { type Claimant, claimantOf, Shares } from '../shares.ts'
import type { CallClass } from './call-class.ts'
import { type Admission, Gate, type GateClass, type ShedReason } from './gate.ts'

export const BUSY = 'The portal is busy. Please try again shortly.'
/** Retry-After of refused calls, in seconds. Clients add a random part. */
const RETRY_SECONDS = 2

const READS: GateClass = { waitMs: 2_000, busyWaitMs: 300 }
const SIGN_INS: GateClass = { waitMs: 2_000, busyWaitMs: 500 }
const CHANGES: GateClass = { waitMs: 5_000, busyWaitMs: 5_000 }
/** Class of event streams. A page opens its streams once. Until a stream is open, the page polls. */
const STREAMS: GateClass = { waitMs: 5_000, busyWaitMs: 5_000 }
/** Classes behind the gate of ordinary calls, the most important first. */
const ORDINARY: readonly CallClass[] = ['power', 'change', 'read', 'stream']

const WAITING_MAX = 256
/** Maximum number of running calls per connection. A call uses its connection for half of its time. */
const PER_CONNECTION = 2
/** Maximum number of running sign-in calls per reserved connection. */
const PER_RESERVED_CONNECTION = 2
const EXPORTS_MAX = 6
const EXPORTS_WAITING_MAX = 8
/** Waiting time of the next part of an export whose reply has begun. */
const PARTS: GateClass = { waitMs: Infinity, busyWaitMs: Infinity }

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
  readonly gate: Gate
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
  readonly #ordinary: Gate
  readonly #signIn: Gate
  readonly #exports: Gate
  /** Gate of the parts of exports whose reply has begun. */
  readonly #parts: Gate
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
    this.#receiving = new Receiving(deadlineFactor)
    const withFactor = ({ waitMs, busyWaitMs }: GateClass): GateClass => ({
      waitMs: waitMs * deadlineFactor,
      busyWaitMs: busyWaitMs * deadlineFactor,
    })
    this.#ordinary = new Gate({
      classes: [CHANGES, CHANGES, READS, STREAMS].map(withFactor),
      limit: connections * PER_CONNECTION,
      shares: sharesOf(connections),
      waitingMax: WAITING_MAX,
      strangersShare: true,
    })
    this.#signIn = new Gate({
      classes: [withFactor(SIGN_INS)],
      limit: reserved * PER_RESERVED_CONNECTION,
      shares: sharesOf(reserved),
      waitingMax: WAITING_MAX,
      strangersShare: true,
    })
    this.#exports = new Gate({
      classes: [withFactor(CHANGES)],
      limit: EXPORTS_MAX,
      shares: sharesOf(EXPORTS_MAX),
      waitingMax: EXPORTS_WAITING_MAX,
    })
    this.#parts = new Gate({
      classes: [PARTS],
      limit: EXPORTS_MAX,
      shares: sharesOf(EXPORTS_MAX),
      waitingMax: Infinity,
    })
    this.#meters = meters
    meters?.watchAdmission(() => ({
      ordinary: this.#ordinary.state,
      'sign-in': this.#signIn.state,
      export: this.#exports.state,
    }))
  }

  /** Adds the hooks. Must be called before all other hooks, so that a refused call costs as little as possible. */
  mount(server: FastifyInstance): void {
    this.#refuseEarly(server)
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
      for (const gate of [this.#ordinary, this.#signIn, this.#exports, this.#parts]) gate.close()
    })
  }

  /**
   * Refuses reads that find no place in the full queue, before Fastify creates its objects for them: at four times the
   * capacity, seven of ten calls are refused.
   */
  #refuseEarly(server: FastifyInstance): void {
    const paths = new Set<string>()
    server.addHook('onRoute', ({ method, url, config }) => {
      if (method === 'GET' && config?.callClass === 'read') paths.add(url)
    })
    const http = server.server
    const [handle] = http.listeners('request') as [RequestListener]
    http.removeListener('request', handle)
    http.on('request', (request, reply) => {
      const { method, url = '' } = request
      if (!this.#ordinary.isFull || method !== 'GET' || !paths.has(url.split('?', 1)[0]!)) return handle(request, reply)
      const claimant = this.#claimantOf(request)
      if (this.#ordinary.makesRoomFor(ORDINARY.indexOf('read'), claimant)) return handle(request, reply)
      this.#meters?.countShed('read', 'queue full')
      sendBusy(reply, randomUUID())
    })
  }

  #admit(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
    const { callClass } = request.routeOptions.config
    if (callClass === undefined || callClass === 'vital') return done()
    if (callClass === 'export' && this.#ordinary.isOverloaded) return this.#refuse(request, reply, 'queue full')
    const { gate, rank } = this.#gateOf(callClass)
    const held: Held = { callClass, gate, rank, place: null, isReceiving: false, isWorking: false, isClosed: false }
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
    held.place = held.gate.enter(rank, claimant, resolve, (reason) => {
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

  #gateOf(callClass: CallClass): { readonly gate: Gate; readonly rank: number } {
    if (callClass === 'signIn') return { gate: this.#signIn, rank: 0 }
    if (callClass === 'export') return { gate: this.#exports, rank: 0 }
    return { gate: this.#ordinary, rank: ORDINARY.indexOf(callClass) }
  }

  #enter(held: Held, request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
    held.place = held.gate.enter(
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
    sendBusy(reply.raw, request.id)
  }
}

function sendBusy(reply: ServerResponse, requestId: string): void {
  const body = JSON.stringify({ code: 'unavailable', message: BUSY, error: BUSY, requestId })
  reply
    .writeHead(503, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'retry-after': String(RETRY_SECONDS),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    .end(body)
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
