import { randomUUID } from 'node:crypto'
import cookie from '@fastify/cookie'
import rateLimit from '@fastify/rate-limit'
import swagger from '@fastify/swagger'
import fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify'
import { jsonSchemaTransform, serializerCompiler } from 'fastify-type-provider-zod'
import type { SecondFactorRule } from '../../contract/words/sign-in.ts'
import { poolOf } from '../db/client.ts'
import type { Db } from '../db/schema.ts'
import { AdmissionControl } from './admission/admission.ts'
import { sendProblem, handleErrors } from './errors.ts'
import type { Handlers } from '../core/handler.ts'
import { MEGABYTE, USUAL_SIZE } from '../../contract/call.ts'
import { refuseCostlyJson } from './body-limits.ts'
import { Callers } from './callers.ts'
import { compressReplies } from './compression.ts'
import { limitConnections } from './connections.ts'
import { secureHeaders } from './headers.ts'
import { hasSeveralHosts } from './host-header.ts'
import type { DiskState } from './disk-state.ts'
import { mountCalls } from './mount.ts'
import { notFound, Problem } from '../core/errors.ts'
import { serveDescription } from './description.ts'
import { type BrowserOf, RateLimits } from './rate-limits.ts'
import { RefusalAudit } from './refusals.ts'
import { logRequests } from './request-log.ts'
import type { Meters } from '../run/telemetry/meters.ts'
import { validate } from './validate.ts'
import { instrumentCalls } from './instrument-calls.ts'
import { readWeb, serveWeb, type Web } from './web.ts'
import { type TrustedProxies, trustOf } from './trusted-proxies.ts'

export interface ServerOptions {
  readonly db: Db
  /** Connections for the vital calls and sign-in and for audit rows of refusals. */
  readonly reserved: Db
  readonly disk: DiskState
  readonly handlers: Handlers
  readonly logger: FastifyServerOptions['logger']
  /** Multiplier of the deadlines of admission control. Default: 1. */
  readonly deadlineFactor?: number
  readonly meters?: Meters | null
  /** Public base URL. With https, cookies are Secure and an HSTS header is sent. */
  readonly publicUrl: string
  readonly trustedProxies: TrustedProxies
  readonly webDir: string
  /** Address of the operator's privacy notice; null: the portal's own page. */
  readonly privacyNotice: string | null
  readonly securityContact: string | null
  readonly fingerprint: (text: string) => Buffer
  readonly sessionSeconds: number
  readonly secondFactor: SecondFactorRule
  readonly idleMinutes: number | null
  readonly browserOf: BrowserOf
  readonly rateLimitFactor: number
  /** Origin of the payment provider's checkout, which the portal's pages may embed; null: none. */
  readonly checkout: { readonly scriptUrl: string; readonly frames: readonly string[] } | null
  readonly mountRoutes?: (server: FastifyInstance, parts: RouteParts) => void
  close(): Promise<void>
}

/** Limits, audit and pages that routes outside the contract share with the rest of the server. */
export interface RouteParts {
  readonly refusals: RefusalAudit
  readonly admission: AdmissionControl
  readonly limits: RateLimits
  readonly callers: Callers
  readonly web: Web
  readonly diskState: DiskState
}

/** Seconds without any byte after which a connection is closed, for clients that do not read their reply. */
const SILENT_SECONDS = 60
/** Seconds until the head of a request must be complete, and until a new connection must send its first one. */
const HEADERS_SECONDS = 10

export async function buildServer(options: ServerOptions): Promise<FastifyInstance> {
  const https = options.publicUrl.startsWith('https:')
  const server = fastify({
    logger: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: MEGABYTE,
    requestTimeout: 30_000,
    connectionTimeout: SILENT_SECONDS * 1_000,
    http: { headersTimeout: HEADERS_SECONDS * 1_000, connectionsCheckingInterval: 1_000 },
    trustProxy: trustOf(options.trustedProxies),
    forceCloseConnections: 'idle',
    frameworkErrors: (_error, request, reply) =>
      void sendProblem(new Problem('malformed', 'The address of the request is not valid.'), request, reply),
  })
  const isTrusted = trustOf(options.trustedProxies)
  limitConnections(server, { isProxy: (address) => isTrusted(address, 0) })
  const callers = new Callers({ https, trustedProxies: options.trustedProxies })
  const admission = new AdmissionControl({
    connections: connectionsOf(options.db),
    reserved: connectionsOf(options.reserved),
    meters: options.meters ?? null,
    claimantOf: (request) => callers.claimantOf(request),
    onShed: (request) => void limits.countRefusal(request, callers.claimantOf(request.raw).user).catch(() => {}),
    ...(options.deadlineFactor !== undefined && { deadlineFactor: options.deadlineFactor }),
  })
  admission.mount(server)
  const closing = new AbortController()
  server.addHook('preClose', async () => {
    closing.abort()
    // Browsers open spare connections without a request, which would delay the shutdown by up to a minute.
    setTimeout(() => server.server.closeAllConnections(), CLOSE_GRACE_MS).unref()
  })
  const refusals = new RefusalAudit(options.reserved, (bug) =>
    server.log.error({ err: bug }, 'refusals could not be written to the audit'),
  )
  server.addHook('onClose', async () => {
    await refusals.close()
    await options.close()
  })
  server.setValidatorCompiler(validate)
  server.setSerializerCompiler(serializerCompiler)
  readJsonOnly(server)
  handleErrors(server, options.disk, options.db)
  logRequests(server)
  if (options.meters) instrumentCalls(server, options.meters)

  server.addHook('onRequest', (request, _reply, done) => {
    done(hasSeveralHosts(request.raw) ? new Problem('malformed', 'The request has several Host headers.') : undefined)
  })
  const web = readWeb(options.webDir, options)
  server.addHook('onRequest', (request, reply, done) => {
    // Lets tabs with an older web app detect the newer version.
    if (web.version !== null && request.url.startsWith('/api/')) void reply.header('x-web-version', web.version)
    done()
  })
  await server.register(cookie)
  await secureHeaders(server, { https, inlineScripts: web.inlineScripts, checkout: options.checkout })
  await compressReplies(server)
  await server.register(rateLimit, { global: false })
  server.addHook('onRequest', (request, _reply, done) => {
    // This check runs before the body is read, because any client can send such a request, and no rate limit counts it.
    const hasBody = !['GET', 'HEAD'].includes(request.method)
    done(request.is404 && hasBody ? notFound('call') : undefined)
  })
  await server.register(swagger, {
    openapi: { openapi: '3.1.0', info: { title: 'Trainyard', version: '1' }, servers: [{ url: '/' }] },
    transform: jsonSchemaTransform,
  })

  const limits = new RateLimits(server, { browserOf: options.browserOf, factor: options.rateLimitFactor, https })
  mountCalls(server, options.handlers, {
    db: options.db,
    reserved: options.reserved,
    disk: options.disk,
    refusals,
    admission,
    callers,
    limits,
    secureCookies: https,
    closing: closing.signal,
    fingerprint: options.fingerprint,
    sessionSeconds: options.sessionSeconds,
    secondFactor: options.secondFactor,
    idleMinutes: options.idleMinutes,
  })
  serveDescription(server, '/openapi.json', limits, () => server.swagger())
  options.mountRoutes?.(server, { refusals, admission, limits, callers, web, diskState: options.disk })
  await serveWeb(server, web)
  server.setNotFoundHandler((request, reply) => {
    const page = web.pageFor(request)
    return page === null ? sendProblem(notFound('call'), request, reply) : page(reply)
  })
  return server
}

const CLOSE_GRACE_MS = 2_000

const connectionsOf = (db: Db): number => poolOf(db)!.options.max

declare module 'fastify' {
  interface FastifyContextConfig {
    rawBody?: boolean
    /** Maximum number of values in the JSON of the body. */
    valuesMax?: number
    call?: string
  }
}

/** Accepts JSON bodies only. An empty body with a JSON content type counts as no body. */
function readJsonOnly(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error')
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (request.routeOptions.config.rawBody) done(null, body)
    else if (body === '') done(null, undefined)
    else {
      try {
        refuseCostlyJson(body as string, request.routeOptions.config.valuesMax ?? USUAL_SIZE.values)
      } catch (problem) {
        return done(problem as Error, undefined)
      }
      void parse(request, body as string, done)
    }
  })
}
