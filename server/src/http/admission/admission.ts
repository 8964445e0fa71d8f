import { randomUUID } from 'node:crypto'
import type { RequestListener, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import { Problem } from '../../core/errors.ts'
import { withWorkLimit, type WorkLimit } from '../../db/work-limit.ts'
import type { Meters } from '../../telemetry/telemetry.ts'
import { traceOf, traceparentOf } from '../../telemetry/trace-id.ts'
import type { CallClass } from './call-class.ts'
import { AdaptiveConcurrency } from './concurrency.ts'
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
/**
 * Target duration of three of four calls, in milliseconds. A database that is not overloaded needs a tenth of this
 * time.
 */
const TARGET_MS = 120
/** Maximum number of running sign-in calls per reserved connection. */
const PER_RESERVED_CONNECTION = 2
const EXPORTS_MAX = 6
const EXPORTS_WAITING_MAX = 8
/** Maximum number of requests whose body is incomplete. They occupy no place among the running calls. */
const RECEIVING_MAX = 500

/** Returns a limit that does not adapt to the duration of calls. */
const fixed = (limit: number) => ({ limit, reached: () => {}, observe: () => {} })

/** The request's place among the calls of the process. */
interface Held {
  readonly callClass: CallClass
  readonly gate: Gate
  readonly rank: number
  readonly limit: WorkLimit
  readonly closed: AbortController
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
}

/**
 * Admission control: limits how many calls run at once, and refuses the others with 503 before their body is read and
 * without a session lookup, so that an overloaded process continues to serve as many calls as it can.
 */
export class AdmissionControl {
  readonly #ordinary: Gate
  readonly #signIn: Gate
  readonly #exports: Gate
  readonly #meters: Meters | null
  readonly #deadlineFactor: number
  #receiving = 0

  constructor({ connections, reserved, meters, deadlineFactor = 1 }: AdmissionOptions) {
    this.#deadlineFactor = deadlineFactor
    const withFactor = ({ waitMs, busyWaitMs }: GateClass): GateClass => ({
      waitMs: waitMs * deadlineFactor,
      busyWaitMs: busyWaitMs * deadlineFactor,
    })
    this.#ordinary = new Gate({
      classes: [CHANGES, CHANGES, READS, STREAMS].map(withFactor),
      concurrency: new AdaptiveConcurrency(
        { least: Math.ceil(connections / 2), most: connections * 2, targetMs: TARGET_MS },
        performance.now(),
      ),
      waitingMax: WAITING_MAX,
    })
    this.#signIn = new Gate({
      classes: [withFactor(SIGN_INS)],
      concurrency: fixed(reserved * PER_RESERVED_CONNECTION),
      waitingMax: WAITING_MAX,
    })
    this.#exports = new Gate({
      classes: [withFactor(CHANGES)],
      concurrency: fixed(EXPORTS_MAX),
      waitingMax: EXPORTS_WAITING_MAX,
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
    server.addHook('preParsing', (request, _reply, _payload, done) => {
      this.#awaitBody(request)
      done()
    })
    server.addHook('preValidation', (request, reply, done) => this.#resume(request, reply, done))
    server.addHook('onSend', (request, _reply, _payload, done) => {
      // An export keeps its slot until it has been sent, because its rows are read in the meantime.
      if (isHeld(request) && request.admission.callClass !== 'export') release(request.admission)
      done()
    })
    server.addHook('preClose', async () => {
      for (const gate of [this.#ordinary, this.#signIn, this.#exports]) gate.close()
    })
  }

  /**
   * Refuses reads while the queue is full, before Fastify creates its objects for them: at four times the capacity,
   * seven of ten calls are refused.
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
      this.#meters?.countShed('read', 'queue full')
      sendBusy(reply, randomUUID(), request.headers.traceparent)
    })
  }

  #admit(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
    const { callClass } = request.routeOptions.config
    if (callClass === undefined || callClass === 'vital') return done()
    if (callClass === 'export' && this.#ordinary.isOverloaded) return this.#refuse(request, reply, 'queue full')
    const { gate, rank } = this.#gateOf(callClass)
    const closed = new AbortController()
    const held: Held = {
      callClass,
      gate,
      rank,
      closed,
      limit: {
        connectionMs: (callClass === 'read' ? READS.waitMs : CHANGES.waitMs) * this.#deadlineFactor,
        // A change is completed even if its client leaves: the user may have closed the page after the click.
        unwanted: callClass === 'power' || callClass === 'change' || callClass === 'signIn' ? null : closed.signal,
      },
      place: null,
      isReceiving: false,
      isWorking: false,
      isClosed: false,
    }
    request.admission = held
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) closed.abort()
      this.#endReceiving(held)
      held.isClosed = true
      if (!held.isWorking) release(held)
    })
    this.#enter(held, request, reply, done)
  }

  /**
   * Runs the work of a call within its limits. Throws instead if the client has left.
   * @throws Problem unavailable
   */
  async run<T>(request: FastifyRequest, callback: () => Promise<T>): Promise<T> {
    if (!isHeld(request)) return callback()
    const held = request.admission
    if (held.closed.signal.aborted) throw clientLeft()
    held.isWorking = true
    try {
      return await withWorkLimit(held.limit, callback)
    } finally {
      held.isWorking = false
      // The work of an export ends after its reply has been sent.
      if (held.isClosed) release(held)
    }
  }

  /**
   * Runs slow work that needs no place, such as hashing a password or a call of the payment provider, and waits for a
   * place again.
   * @throws Problem unavailable
   */
  async outside<T>(request: FastifyRequest, callback: () => Promise<T>): Promise<T> {
    if (!isHeld(request)) return callback()
    const held = request.admission
    release(held)
    const result = await callback()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    // The slow work is already done, so the call is admitted before new ones.
    held.place = held.gate.enter(0, resolve, (reason) => {
      this.#meters?.countShed(held.callClass, reason)
      reject(new Problem('unavailable', BUSY, RETRY_SECONDS))
    })
    await promise
    return result
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
      () => done(),
      (reason) => this.#refuse(request, reply, reason),
    )
  }

  /** Frees the slot of a call while its client sends the body, so that slow clients do not delay other clients. */
  #awaitBody(request: FastifyRequest): void {
    if (!isHeld(request) || request.raw.complete || !hasBody(request)) return
    const held = request.admission
    if (this.#receiving >= RECEIVING_MAX) throw new Problem('unavailable', BUSY, RETRY_SECONDS)
    this.#receiving += 1
    held.isReceiving = true
    release(held)
  }

  #resume(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
    if (!isHeld(request) || !request.admission.isReceiving) return done()
    this.#endReceiving(request.admission)
    this.#enter(request.admission, request, reply, done)
  }

  #endReceiving(held: Held): void {
    if (!held.isReceiving) return
    held.isReceiving = false
    this.#receiving -= 1
  }

  #refuse(request: FastifyRequest, reply: FastifyReply, reason: ShedReason): void {
    this.#meters?.countShed(request.routeOptions.config.callClass!, reason)
    request.admission = 'refused'
    reply.hijack()
    if (reason === 'client left') return
    sendBusy(reply.raw, request.id, request.headers.traceparent)
  }
}

function sendBusy(reply: ServerResponse, requestId: string, traceparent: string | string[] | undefined): void {
  const body = JSON.stringify({ code: 'unavailable', message: BUSY, error: BUSY, requestId })
  reply
    .writeHead(503, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'retry-after': String(RETRY_SECONDS),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      traceresponse: traceparentOf(traceOf(traceparent, requestId)),
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
