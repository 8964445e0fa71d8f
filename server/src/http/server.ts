import { randomUUID } from 'node:crypto'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import rateLimit from '@fastify/rate-limit'
import swagger from '@fastify/swagger'
import fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify'
import { jsonSchemaTransform, serializerCompiler } from 'fastify-type-provider-zod'
import { constants } from 'node:zlib'
import type { SecondFactorRule } from '@trainyard/contract/words/sign-in.ts'
import type { Db } from '../db/schema.ts'
import { answer, answerErrors } from './errors.ts'
import type { Handlers } from '../core/handler.ts'
import { secureHeaders } from './headers.ts'
import { type LogoOf, serveLogos } from './logos.ts'
import { mountCalls } from './mount.ts'
import { notFound, Problem } from '../core/errors.ts'
import { type BrowserOf, RateLimits } from './rate-limits.ts'
import { RefusalAudit } from './refusals.ts'
import { logRequests } from './request-log.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { traceOf } from '../telemetry/trace-id.ts'
import { validate } from './validate.ts'
import { watchCalls } from './watch-calls.ts'
import { readWeb, serveWeb } from './web.ts'

export interface ServerOptions {
  readonly db: Db
  readonly handlers: Handlers
  readonly logger: FastifyServerOptions['logger']
  /** Left out: nobody watches. */
  readonly telemetry?: Telemetry
  /** The address people reach the portal by; https there makes cookies Secure and asks browsers to stay on https. */
  readonly publicUrl: string
  /** Reverse proxies that are believed when they say whom they speak for. */
  readonly trustedProxies: readonly string[]
  /** Folder of the built web app. */
  readonly webDir: string
  /** Keyed hash of a request's body. */
  readonly fingerprint: (text: string) => Buffer
  readonly sessionSeconds: number
  /** The installation's own rule, where an organisation has none. */
  readonly secondFactor: SecondFactorRule
  /** The installation's own, where an organisation has none; null: there is none. */
  readonly idleMinutes: number | null
  readonly browserOf: BrowserOf
  /** Factor on how often people may call. */
  readonly rateLimitFactor: number
  readonly logoOf: LogoOf
  /** The payment provider's checkout, which may show itself in our pages; null: there is none. */
  readonly checkout: { readonly script: string; readonly frames: readonly string[] } | null
  /** Mounts routes beside the calls: the socket of the lab remote-access page. */
  readonly beside?: (server: FastifyInstance, refusals: RefusalAudit) => void
  /** Lets go of the database and what else the handlers hold, once the last call is answered. */
  close(): Promise<void>
}

/** Bytes of the largest request: an order for 1,000 learners is a quarter of it. */
const BODY_LIMIT = 1024 * 1024

/** The whole HTTP side: every call of the contract under /api, its description, and the web app. */
export async function buildServer(options: ServerOptions): Promise<FastifyInstance> {
  const https = options.publicUrl.startsWith('https:')
  const server = fastify({
    logger: options.logger,
    // Ours says less: see logRequests.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    childLoggerFactory: (log, bindings, options, { headers }) =>
      log.child({ ...bindings, traceId: traceOf(headers.traceparent, String(bindings['reqId'])).traceId }, options),
    bodyLimit: BODY_LIMIT,
    requestTimeout: 30_000,
    trustProxy: [...options.trustedProxies],
    forceCloseConnections: 'idle',
    frameworkErrors: (_error, request, reply) =>
      void answer(new Problem('malformed', 'The address of the request can not be read.'), request, reply),
  })
  const closing = new AbortController()
  server.addHook('preClose', async () => {
    closing.abort()
    // Browsers keep spare connections open that have not asked for anything yet: they would hold the end up a minute.
    setTimeout(() => server.server.closeAllConnections(), CLOSE_GRACE_MS).unref()
  })
  const refusals = new RefusalAudit(options.db, (bug) =>
    server.log.error({ err: bug }, 'refusals could not be written down'),
  )
  server.addHook('onClose', async () => {
    await refusals.close()
    await options.close()
  })
  server.setValidatorCompiler(validate)
  server.setSerializerCompiler(serializerCompiler)
  readJsonOnly(server)
  answerErrors(server)
  logRequests(server)
  if (options.telemetry !== undefined) watchCalls(server, options.telemetry)

  const web = readWeb(options.webDir)
  server.addHook('onRequest', (request, reply, done) => {
    // Tabs of an older web app learn of the newer one by it.
    if (web.version !== null && request.url.startsWith('/api/')) void reply.header('x-web-version', web.version)
    done()
  })
  await server.register(cookie)
  await secureHeaders(server, { https, inlineScripts: web.inlineScripts, checkout: options.checkout })
  await server.register(compress, {
    threshold: 1024,
    encodings: ['br', 'gzip'],
    // Made anew for each reply: the level that costs little.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  })
  await server.register(rateLimit, { global: false })
  await server.register(swagger, {
    openapi: { openapi: '3.1.0', info: { title: 'Trainyard', version: '1' }, servers: [{ url: '/' }] },
    transform: jsonSchemaTransform,
  })

  mountCalls(server, options.handlers, {
    db: options.db,
    refusals,
    limits: new RateLimits(server, { browserOf: options.browserOf, factor: options.rateLimitFactor, https }),
    secureCookies: https,
    closing: closing.signal,
    fingerprint: options.fingerprint,
    sessionSeconds: options.sessionSeconds,
    secondFactor: options.secondFactor,
    idleMinutes: options.idleMinutes,
    tracer: options.telemetry?.tracer ?? null,
  })
  server.get('/api/openapi.json', { schema: { hide: true } }, () => server.swagger())
  serveLogos(server, options.logoOf)
  options.beside?.(server, refusals)
  await serveWeb(server, web)
  server.setNotFoundHandler((request, reply) => {
    const page = web.pageFor(request)
    return page === null ? answer(notFound('call'), request, reply) : page(reply)
  })
  return server
}

/** Requests in progress when the server closes may take this long to end. */
const CLOSE_GRACE_MS = 2_000

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The handler gets the body's text as it came. */
    rawBody?: boolean
    /** The call's name in the contract. */
    call?: string
  }
}

/** JSON and nothing else; a JSON content type with no body at all is no body. */
function readJsonOnly(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error')
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (request.routeOptions.config.rawBody) done(null, body)
    else if (body === '') done(null, undefined)
    else void parse(request, body as string, done)
  })
}
