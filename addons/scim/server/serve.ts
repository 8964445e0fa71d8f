import type {} from '@fastify/rate-limit'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { SCIM_PATH } from '../contract/scim-words.ts'
import { writeAudit } from '@trainyard/platform/server/core/audit.ts'
import { Problem, signedOut } from '@trainyard/platform/server/core/errors.ts'
import { isDatabaseBusy, isDatabaseLost, isRejectedValue } from '@trainyard/platform/server/db/lost.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { ScimContext } from './context.ts'
import type { Json } from './filter.ts'
import {
  createGroup,
  deleteGroup,
  type GroupChange,
  listGroups,
  patchGroup,
  readGroup,
  replaceGroup,
} from './groups.ts'
import { listRequest, type Parameters, project, projectionOf } from './list.ts'
import { requireSchema } from './normalise.ts'
import { isWithoutPaths } from './patch.ts'
import { ERROR_SCHEMA, GROUPS, type ResourceType, SEARCH_SCHEMA, USERS } from './schemas.ts'
import { badRequest, ScimError } from './scim-error.ts'
import { resourceTypes, schemas, serviceProviderConfig } from './service.ts'
import { findScimToken, type ScimToken } from './token.ts'
import { createUser, deleteUser, listUsers, patchUser, readUser, replaceUser, USER_BYTES } from './users.ts'
import { isUnchanged } from './version.ts'
import { refuseCostlyJson } from '@trainyard/platform/server/http/body-limits.ts'
import type { RouteParts } from '@trainyard/platform/server/http/server.ts'
import { Shares } from '@trainyard/platform/server/http/shares.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'

export interface ScimDependencies extends RouteParts {
  readonly db: Db
  readonly jobs: JobQueue
  readonly publicUrl: string
  /** Multiplier of the rate limits, for tests. */
  readonly rateLimitFactor: number
}

/** Maximum size of the body in bytes for a group, which has some thousand members. */
const GROUP_BYTES = 2 * 1024 * 1024
/** Maximum number of values of a group: 20,000 members with four attributes each. */
const GROUP_VALUES = 110_000
const USER_VALUES = 10_000
/** A larger body counts as one more request for each of these bytes, because parsing it takes as much CPU time. */
const COUNTED_BYTES = 65_536
/** Limit per token. Entra ID sends at most about 25 requests per second. */
const REQUESTS_PER_MINUTE = 3_000
/** Maximum number of concurrent requests of one organisation in a process. */
const CONCURRENT = 6
const TYPE = 'application/scim+json; charset=utf-8'

interface Reply {
  readonly status: number
  readonly body?: Json
  readonly location?: string
}

/** A request, independent of Fastify. */
interface ScimRequest {
  readonly method: string
  /** Decoded segments of the path after the prefix. */
  readonly path: readonly string[]
  readonly query: Parameters
  readonly body: unknown
  readonly ifMatch: string | undefined
  readonly ifNoneMatch: string | undefined
  readonly wantsResource: boolean
}

/**
 * Serves SCIM 2.0 (RFC 7643, 7644) to organisations' identity providers. The token determines the organisation, whose
 * resources are the only ones that a request can read or change.
 */
export function serveScim(outer: FastifyInstance, parts: ScimDependencies): void {
  const { db, jobs, refusals, publicUrl } = parts
  const base = `${publicUrl}${SCIM_PATH}`
  const tokens = new WeakMap<FastifyRequest, ScimToken>()
  const running = new Shares({ organisation: CONCURRENT })
  const max = Math.max(1, Math.round(REQUESTS_PER_MINUTE * parts.rateLimitFactor))
  const count = outer.createRateLimit({
    max,
    timeWindow: 60_000,
    keyGenerator: (request) => `scim ${tokens.get(request)!.id}`,
  })

  const authorise = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    void reply.header('cache-control', 'no-store').type(TYPE)
    const { token, find } = tokenOf(request)
    // Directories of many organisations share an address.
    const found = await parts.callers.recognise(
      request,
      parts,
      find,
      (scimToken) => scimToken && { user: scimToken.id, organisation: scimToken.organisation.id },
    )
    if (found === null) {
      void reply.header('www-authenticate', token === undefined ? 'Bearer' : 'Bearer error="invalid_token"')
      await refusals.write('anyone', signedOut(), {
        name: 'scim.request',
        requestId: request.id,
        actor: null,
        address: request.ip,
        request: {},
      })
      throw noToken()
    }
    tokens.set(request, found)
    await limit(request)
  }

  const tokenOf = ({ headers, ip }: FastifyRequest) => {
    const token = /^Bearer ([\w.~+/=-]{1,200})$/i.exec(headers.authorization ?? '')?.[1]
    return { token, find: async () => (token === undefined ? null : findScimToken(db, token, ip)) }
  }

  const limit = async (request: FastifyRequest): Promise<void> => {
    const counted = await count(request)
    if (!counted.isAllowed && counted.isExceeded)
      throw new Problem('tooMany', 'Too many requests. Try again later.', Math.max(1, counted.ttlInSeconds))
  }

  const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const { organisation, name: tokenName } = tokens.get(request)!
    const release = running.acquire({ organisation: organisation.id })
    if (typeof release === 'string') throw new Problem('tooMany', 'Too many requests at the same time. Try again.', 1)
    try {
      const scimRequest = scimRequestOf(request)
      const result = await dispatch(db, { organisation, tokenName, base, jobs }, scimRequest, request)
      const version = (result.body?.['meta'] as Json | undefined)?.['version']
      if (typeof version === 'string') void reply.header('etag', version)
      if (request.method === 'GET' && isUnchanged(scimRequest.ifNoneMatch, version)) return await reply.code(304).send()
      if (result.location !== undefined) void reply.header('location', result.location)
      void reply.code(result.status)
      return await (result.body === undefined ? reply.send() : reply.type(TYPE).send(JSON.stringify(result.body)))
    } finally {
      release()
    }
  }

  void outer.register(async (server) => {
    server.removeAllContentTypeParsers()
    const parse = server.getDefaultJsonParser('error', 'error')
    server.addContentTypeParser(
      ['application/scim+json', 'application/json'],
      { parseAs: 'string' },
      async (request: FastifyRequest, body: string) => {
        const isUser = !/^\/scim\/v2\/groups/i.test(request.url)
        const bytes = Buffer.byteLength(body)
        if (isUser && bytes > USER_BYTES) throw tooLarge()
        for (let rest = bytes - COUNTED_BYTES; rest > 0; rest -= COUNTED_BYTES) await limit(request)
        if (body === '') return undefined
        refuseCostlyJson(body, isUser ? USER_VALUES : GROUP_VALUES)
        return new Promise((resolve, reject) => {
          void parse(request, body, (error, value) => (error === null ? resolve(value) : reject(error)))
        })
      },
    )
    server.setErrorHandler((error: FastifyError, request, reply) => sendError(error, request, reply))
    server.addHook('onRequest', authorise)
    // The body may arrive half a minute after the head. Meanwhile the token may have been revoked.
    server.addHook('preHandler', async (request) => {
      if (request.method !== 'GET' && (await tokenOf(request).find()) === null) throw noToken()
    })
    const route = { bodyLimit: GROUP_BYTES, handler: handle, schema: { hide: true } }
    for (const url of [SCIM_PATH, `${SCIM_PATH}/*`]) {
      server.route({ ...route, url, method: 'GET', exposeHeadRoute: false, config: { callClass: 'read' } })
      server.route({
        ...route,
        url,
        method: ['POST', 'PUT', 'PATCH', 'DELETE'],
        config: { callClass: 'change' },
      })
    }
  })
}

const noToken = () => new ScimError(401, null, 'The token is missing, unknown or expired.')
const tooLarge = () => new ScimError(413, null, 'The request is too large.')

function scimRequestOf(request: FastifyRequest): ScimRequest {
  const rest = (request.params as { '*'?: string })['*'] ?? ''
  const header = (name: string): string | undefined => {
    const value = request.headers[name]
    return typeof value === 'string' ? value : undefined
  }
  return {
    method: request.method,
    path: rest.split('/').filter((segment) => segment !== ''),
    query: request.query as Parameters,
    body: request.body,
    ifMatch: header('if-match'),
    ifNoneMatch: header('if-none-match'),
    wantsResource: /\breturn=representation\b/i.test(header('prefer') ?? ''),
  }
}

async function dispatch(
  db: Db,
  context: ScimContext,
  scimRequest: ScimRequest,
  request: FastifyRequest,
): Promise<Reply> {
  const { method, path } = scimRequest
  const [name = '', id = null, ...extra] = path
  const resource = name.toLowerCase()
  if (extra.length > 0) throw noEndpoint()
  if (resource === 'users' || resource === 'groups') {
    const type = resource === 'users' ? USERS : GROUPS
    if (id?.toLowerCase() === '.search') return search(db, context, type, scimRequest)
    if (method === 'GET') return read(db, context, type, id, scimRequest.query)
    return change(db, context, type, id, scimRequest, request)
  }
  if (resource === 'me' || resource === 'bulk')
    throw new ScimError(501, null, `/${name} is not supported. See /ServiceProviderConfig.`)
  const documents: Readonly<Record<string, () => Json>> = {
    serviceproviderconfig: () => serviceProviderConfig(context.base),
    // The path that Microsoft's SCIM tests request.
    serviceconfiguration: () => serviceProviderConfig(context.base),
    resourcetypes: () => resourceTypes(context.base, id),
    schemas: () => schemas(context.base, id),
  }
  const document = Object.hasOwn(documents, resource) ? documents[resource] : undefined
  if (document === undefined) throw noEndpoint()
  if (method !== 'GET') throw new ScimError(405, null, `${method} is not allowed here.`)
  if (Object.keys(scimRequest.query).some((key) => key.toLowerCase() === 'filter'))
    throw new ScimError(403, null, 'A filter is not allowed here.')
  return { status: 200, body: document() }
}

const noEndpoint = () => new ScimError(404, null, 'There is no such endpoint.')

async function search(db: Db, context: ScimContext, type: ResourceType, scimRequest: ScimRequest): Promise<Reply> {
  if (scimRequest.method !== 'POST') throw new ScimError(405, null, `${scimRequest.method} is not allowed here.`)
  if (typeof scimRequest.body !== 'object' || scimRequest.body === null)
    throw badRequest('invalidSyntax', 'The body must be a JSON object.')
  requireSchema(scimRequest.body as Json, SEARCH_SCHEMA)
  return read(db, context, type, null, scimRequest.body as Parameters)
}

async function read(
  db: Db,
  context: ScimContext,
  type: ResourceType,
  id: string | null,
  query: Parameters,
): Promise<Reply> {
  if (id === null) {
    const request = listRequest(type, query)
    return { status: 200, body: await (type === USERS ? listUsers : listGroups)(db, context, request) }
  }
  const projection = projectionOf(type, query)
  const resource = await (type === USERS ? readUser : readGroup)(db, context, id, projection)
  return { status: 200, body: project(resource, projection) }
}

async function change(
  db: Db,
  context: ScimContext,
  type: ResourceType,
  id: string | null,
  scimRequest: ScimRequest,
  request: FastifyRequest,
): Promise<Reply> {
  const { method, body, query, ifMatch } = scimRequest
  if ((id === null) !== (method === 'POST')) throw new ScimError(405, null, `${method} is not allowed here.`)
  const projection = projectionOf(type, query)
  const resource = (changed: Json): Json => project(changed, projection)
  return db.transaction().execute(async (tx): Promise<Reply> => {
    const store = async (kind: 'create' | 'change' | 'delete', before: Json | null, after: Json | null, more = {}) => {
      if (before === after) return
      await audit(tx, context, request, `scim.${kind}${type.name}`, { before, after, more })
    }
    if (method === 'POST') {
      const created = type === USERS ? await createUser(tx, context, body) : await createGroup(tx, context, body)
      const after = type === USERS ? (created as Json) : (created as GroupChange).after!
      await store('create', null, after)
      return { status: 201, body: resource(after), location: (after['meta'] as Json)['location'] as string }
    }
    if (method === 'DELETE') {
      const { before } =
        type === USERS ? await deleteUser(tx, context, id!, ifMatch) : await deleteGroup(tx, context, id!, ifMatch)
      await store('delete', before, null)
      return { status: 204 }
    }
    const isPut = method === 'PUT'
    const changed =
      type === USERS
        ? await (isPut ? replaceUser : patchUser)(tx, context, id!, body, ifMatch)
        : await (isPut ? replaceGroup : patchGroup)(tx, context, id!, body, ifMatch)
    const { added = 0, removed = 0, roles = [] } = changed as Partial<GroupChange>
    const isSame =
      type === GROUPS && (changed.before!['meta'] as Json)['version'] === (changed.after!['meta'] as Json)['version']
    await store('change', changed.before, isSame ? changed.before : changed.after, { added, removed, roles })
    // Okta reads the resource from the reply to its requests without paths. Entra ID expects an empty reply for a group.
    const isEmpty =
      !isPut &&
      !scimRequest.wantsResource &&
      projection.attributes === null &&
      !(type === USERS && isWithoutPaths(body))
    return isEmpty ? { status: 204 } : { status: 200, body: resource(changed.after!) }
  })
}

/** Attributes that an audit row contains. It must not contain members or personal data such as phone numbers. */
const AUDITED = ['id', 'userName', 'displayName', 'externalId', 'active', 'emails'] as const

async function audit(
  tx: Tx,
  { organisation, tokenName }: ScimContext,
  request: FastifyRequest,
  call: string,
  { before, after, more }: { readonly before: Json | null; readonly after: Json | null; readonly more: object },
): Promise<void> {
  const audited = (resource: Json | null) =>
    resource === null
      ? null
      : Object.fromEntries(AUDITED.flatMap((name) => (resource[name] === undefined ? [] : [[name, resource[name]]])))
  await writeAudit(tx, {
    call,
    requestId: request.id,
    actor: null,
    claimed: tokenName,
    organisation: organisation.id,
    address: request.ip,
    request: { through: tokenName, ...more },
    change: { before: audited(before), after: audited(after) },
  })
}

function sendError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, scimType, detail, retryAfter } = errorReply(error)
  if (status >= 500 && status !== 501 && status !== 503) request.log.error({ err: error }, detail)
  if (retryAfter !== null) void reply.header('retry-after', retryAfter)
  return reply
    .code(status)
    .type(TYPE)
    .send(
      JSON.stringify({
        schemas: [ERROR_SCHEMA],
        status: String(status),
        ...(scimType !== null && { scimType }),
        detail,
      }),
    )
}

interface ErrorReply {
  readonly status: number
  readonly scimType: string | null
  readonly detail: string
  readonly retryAfter: number | null
}

function errorReply(error: FastifyError | Error): ErrorReply {
  if (error instanceof ScimError)
    return { status: error.status, scimType: error.scimType, detail: error.message, retryAfter: null }
  if (error instanceof Problem) {
    const scimType = error.code === 'conflict' ? 'uniqueness' : error.status === 400 ? 'invalidValue' : null
    return { status: error.status, scimType, detail: error.message, retryAfter: error.retryAfter }
  }
  const { code, statusCode } = error as FastifyError
  // Deadlock or serialization failure: the transaction was rolled back, so the request can be repeated.
  if (isDatabaseBusy(error) || isDatabaseLost(error) || code === '40P01' || code === '40001')
    return { status: 503, scimType: null, detail: 'The portal is busy. Try again shortly.', retryAfter: 5 }
  // Two requests created the same resource at the same time.
  if (code === '23505') return { status: 409, scimType: 'uniqueness', detail: 'The value is taken.', retryAfter: null }
  if (isRejectedValue(error))
    return { status: 400, scimType: 'invalidValue', detail: 'A value is too long or out of range.', retryAfter: null }
  if (statusCode === 413) return { status: 413, scimType: null, detail: tooLarge().message, retryAfter: null }
  if (statusCode === 415)
    return { status: 415, scimType: null, detail: 'Send application/scim+json or application/json.', retryAfter: null }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return { status: 400, scimType: 'invalidSyntax', detail: 'The body must be valid JSON.', retryAfter: null }
  return {
    status: 500,
    scimType: null,
    detail: 'Something went wrong on our side. Try again.',
    retryAfter: null,
  }
}
