import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AzureContext } from './arm/mount.ts'
import { execute } from './execute.ts'
import { iso, wholeSecond } from '@trainyard/platform/emulator/clock/clock.ts'
import { dropConnection } from '@trainyard/platform/emulator/faults/drop-connection.ts'
import type { GraphAnswer, GraphCall, GraphOperation } from './operation.ts'
import { GraphRefusal, notAuthenticated } from './refusal.ts'
import { sendMailOperation } from './send-mail.ts'
import { requirePermission, tenantOperations } from './tenant.ts'
import { userOperations } from './users.ts'
import type { Fault } from '@trainyard/platform/emulator/faults/fault.ts'

export function mountGraph(context: AzureContext): void {
  const { server, settings, mailbox } = context
  for (const operation of [...userOperations, ...tenantOperations(settings), sendMailOperation(settings, mailbox)]) {
    server.route({
      method: operation.method,
      url: `/v1.0${operation.path}`,
      config: operation.path.endsWith('/sendMail') ? { plainText: true } : {},
      handler: (request, reply) => serve(context, operation, request, reply),
    })
  }
}

export function graphNotFound(reply: FastifyReply, now: number): FastifyReply {
  const message = `Resource not found for the segment '${reply.request.url.split('/')[2] ?? ''}'.`
  return refuse(reply, new GraphRefusal(400, 'BadRequest', message), now)
}

function serve(
  context: AzureContext,
  operation: GraphOperation,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { cloud, clock, faults } = context
  const now = clock.now()
  void reply.header('date', new Date(wholeSecond(now)).toUTCString())
  const params = request.params as Record<string, string>
  const body = request.body as { userPrincipalName?: string } | undefined
  cloud.late.settle(now)
  cloud.calls.count(operation.name)
  const fault = faults.consume(operation.name, params.id ?? body?.userPrincipalName ?? '')
  if (fault?.kind === 'hang') return reply.hijack()
  if (fault?.kind === 'dropConnection') return dropConnection(reply)
  try {
    const token = /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
    // Lab users have no permissions in the directory.
    if (token === undefined || token === 'wrong' || token.startsWith('user:')) throw notAuthenticated()
    requirePermission(cloud.settings, operation)
    const refusal = fault === undefined ? undefined : graphRefusalFor(fault)
    if (refusal !== undefined) throw refusal
    const call: GraphCall = {
      directory: cloud.directory,
      params,
      query: request.query as Record<string, string>,
      path: request.url.split('?', 1)[0] ?? request.url,
      body: request.body,
      now,
      visibleAfterSeconds:
        fault?.kind === 'seenLate' ? fault.seconds : Number(cloud.settings.read('directory.lag') ?? 0),
    }
    const answer = execute(context, fault, operation, call)
    return answer === undefined ? dropConnection(reply) : send(reply, answer, fault?.kind === 'malformed')
  } catch (error) {
    if (error instanceof GraphRefusal) return refuse(reply, error, now)
    throw error
  }
}

function send(reply: FastifyReply, { status, body, headers }: GraphAnswer, malformed: boolean): FastifyReply {
  void graphHeaders(reply)
    .code(status)
    .headers(headers ?? {})
  if (malformed) return reply.code(200).type('application/json').send('{"@odata.context": "https://gra')
  if (body === undefined) return reply.send()
  return reply
    .type('application/json;odata.metadata=minimal;odata.streaming=true;IEEE754Compatible=false;charset=utf-8')
    .send(JSON.stringify(body))
}

function refuse(reply: FastifyReply, refusal: GraphRefusal, now: number): FastifyReply {
  const id = randomUUID()
  const { code, message, details } = refusal
  const innerError = { date: iso(wholeSecond(now)).slice(0, 19), 'request-id': id, 'client-request-id': id }
  return graphHeaders(reply)
    .code(refusal.status)
    .headers(refusal.headers)
    .type('application/json')
    .send(JSON.stringify({ error: { code, message, ...(details.length === 0 ? {} : { details }), innerError } }))
}

function graphHeaders(reply: FastifyReply): FastifyReply {
  const id = randomUUID()
  return reply.headers({
    'cache-control': 'no-cache',
    'request-id': id,
    'client-request-id': id,
    'strict-transport-security': 'max-age=31536000',
  })
}

function graphRefusalFor(fault: Fault): GraphRefusal | undefined {
  const pause = { headers: { 'retry-after': String(fault.retryAfter) } }
  switch (fault.kind) {
    case 'throttle':
      return new GraphRefusal(429, 'TooManyRequests', 'Too many requests.', pause)
    case 'refuseCapacity':
      return new GraphRefusal(503, 'ServiceUnavailable', 'The service is temporarily unavailable.', pause)
    case 'refuseQuota':
      return new GraphRefusal(
        403,
        'Directory_QuotaExceeded',
        'The directory object quota limit for the Principal has been exceeded. Please ask your administrator to increase the quota limit or delete objects to reduce the used quota.',
      )
    case 'serverError':
      return new GraphRefusal(500, 'InternalServerError', 'An error occurred. This fault was injected.')
    case 'unauthorised':
      return notAuthenticated()
    default:
      return undefined
  }
}
