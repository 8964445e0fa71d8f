import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { refuseWithoutRole } from '../authorization/lab-callers.ts'
import { execute } from '../execute.ts'
import type { AzureCloud } from '../cloud.ts'
import type { Programs } from '../network/programs.ts'
import { requestedVersion } from './api-versions.ts'
import { endingUnder, notAuthenticated, refusalFor } from './fault-replies.ts'
import type { Answer, Call, Operation } from './operation.ts'
import { Refusal } from './refusal.ts'
import { refuseGoverned } from '../governance/refuse-governed.ts'
import { refuseUnregistered } from '../subscriptions/providers.ts'
import { wholeSecond } from '@trainyard/platform/emulator/clock/clock.ts'
import { dropConnection } from '@trainyard/platform/emulator/faults/drop-connection.ts'
import type { Emulated } from '@trainyard/platform/emulator/part.ts'

export interface AzureContext extends Emulated {
  readonly cloud: AzureCloud
  /** Programs inside the machines. Another part may replace them. */
  readonly inside: { programs: Programs }
}

const subscriptionShape = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function mountAzure(context: AzureContext, operations: readonly Operation[]): void {
  for (const operation of operations) {
    context.server.route({
      method: operation.method,
      url: operation.path,
      handler: (request, reply) => serve(context, operation, request, reply),
    })
  }
}

export function azureNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const type = /\/providers\/([^/?]+)\/([^/?]+)/i.exec(request.url)
  const refusal =
    type === null
      ? new Refusal(404, 'NotFound', `The emulator has no operation for ${request.method} at this path.`)
      : new Refusal(
          404,
          'InvalidResourceType',
          `The resource type '${type[2]}' could not be found in the namespace '${type[1]}' for ${request.method} at this path.`,
        )
  return refuse(reply, refusal)
}

export function refuse(reply: FastifyReply, refusal: Refusal): FastifyReply {
  void azureHeaders(reply).code(refusal.status).headers(refusal.headers).header('x-ms-failure-cause', 'gateway')
  return reply.request.method === 'HEAD' ? reply.send() : sendJson(reply, refusal.body)
}

function serve(
  context: AzureContext,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { cloud, clock, faults } = context
  const now = clock.now()
  void reply.header('date', new Date(wholeSecond(now)).toUTCString())
  const params = request.params as Record<string, string>
  cloud.late.settle(now)
  cloud.calls.count(operation.name)
  const fault = faults.consume(operation.name, Object.values(params).at(-1) ?? '')
  if (fault?.kind === 'hang') return reply.hijack()
  if (fault?.kind === 'dropConnection') return dropConnection(reply)
  let call: Call | undefined
  try {
    requireToken(request, params)
    refuseWithoutRole(cloud, operation, request, params, now)
    refuseUnregistered(cloud, operation, now)
    call = {
      operation: operation.name,
      params,
      query: request.query as Record<string, string>,
      path: request.url.split('?', 1)[0] ?? request.url,
      version: requestedVersion(cloud, operation, request),
      body: request.body,
      now,
      ending: endingUnder(fault, operation.name),
      faultKind: fault?.kind,
    }
    cloud.operations.settle(now)
    const refusal = fault === undefined ? undefined : refusalFor(fault, operation.name, params)
    if (refusal !== undefined) throw refusal
    refuseGoverned(cloud, operation, call)
    const answer = execute(context, fault, operation, call)
    return answer === undefined ? dropConnection(reply) : send(reply, answer, fault?.kind === 'malformed')
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (call !== undefined) operation.refused?.(call, error)
    return refuse(reply, error)
  }
}

function requireToken(request: FastifyRequest, params: Record<string, string>): void {
  const token = /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (token === undefined || token === 'wrong') throw notAuthenticated(params)
  const { subscription } = params
  if (subscription === undefined || subscriptionShape.test(subscription)) return
  throw new Refusal(
    400,
    'InvalidSubscriptionId',
    `The provided subscription identifier '${subscription}' is malformed or invalid.`,
  )
}

function send(reply: FastifyReply, answer: Answer, malformed: boolean): FastifyReply {
  void azureHeaders(reply)
    .code(answer.status)
    .headers(answer.headers ?? {})
  if (malformed) return reply.type('application/json; charset=utf-8').send('{"id": "/subscriptions/')
  if (answer.body === undefined) return reply.send()
  return sendJson(reply, answer.body, answer.headers?.['content-type'])
}

function sendJson(reply: FastifyReply, body: unknown, type = 'application/json; charset=utf-8'): FastifyReply {
  return reply.type(type).send(JSON.stringify(body))
}

function azureHeaders(reply: FastifyReply): FastifyReply {
  const id = randomUUID()
  const { headers } = reply.request
  const correlation = headers['x-ms-correlation-request-id']
  const client = headers['x-ms-client-request-id']
  return reply.headers({
    'cache-control': 'no-cache',
    pragma: 'no-cache',
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
    'x-content-type-options': 'nosniff',
    'x-ms-request-id': id,
    'x-ms-correlation-request-id': typeof correlation === 'string' ? correlation : id,
    ...(headers['x-ms-return-client-request-id'] === 'true' && typeof client === 'string'
      ? { 'x-ms-client-request-id': client }
      : {}),
  })
}
