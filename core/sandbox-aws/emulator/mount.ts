import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Aws, type AwsContext, nameOf, subjectOf } from './aws.ts'
import { callerOf } from './caller.ts'
import { awsRefusalFor } from './fault-replies.ts'
import { jsonRefusal, jsonReply, readJson } from './json-wire.ts'
import type { AwsOperation, AwsService, Structure } from './operation.ts'
import { queryServices, readForm, xmlRefusal, xmlReply } from './query-wire.ts'
import { AwsRefusal } from './refusal.ts'
import { mountSignIn } from './sign-in-page.ts'
import { readSignature, type SignedRequest } from './signature.ts'
import { dropConnection } from '@trainyard/platform/emulator/faults/drop-connection.ts'
import type { Fault } from '@trainyard/platform/emulator/faults/fault.ts'

/** AWS serves each service at `POST /` of a separate host. The emulator reads the name of the service from the signature. */
export function mountAws(server: FastifyInstance, context: AwsContext): void {
  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.post('/', (request, reply) => serve(context, request, reply))
    mountSignIn(scope, context)
  })
}

function serve(context: AwsContext, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { aws, clock, faults } = context
  const now = clock.now()
  const id = randomUUID()
  const signed = signedRequest(request)
  let service: AwsService = 'iam'
  try {
    service = readSignature(signed).service
    const { operation, input } = findOperation(aws, service, signed)
    context.calls.count(nameOf(operation))
    aws.settle(now)
    const fault = faults.consume(nameOf(operation), subjectOf(input))
    if (fault?.kind === 'hang') return reply.hijack()
    if (fault?.kind === 'dropConnection') return dropConnection(reply)
    const caller = callerOf(aws.cloud, signed, now)
    const refusal = fault === undefined ? undefined : awsRefusalFor(fault, operation)
    if (refusal !== undefined) throw refusal
    if (fault?.kind === 'doneLate') {
      aws.postpone(operation, caller, input, now + fault.seconds * 1000)
      return dropConnection(reply)
    }
    const output = aws.execute(operation, caller, input, now, visibilityLag(fault))
    if (fault?.kind === 'loseReply') return dropConnection(reply)
    return sendReply(reply, service, operation, output, id, fault?.kind === 'malformed')
  } catch (error) {
    if (error instanceof AwsRefusal) return refuse(reply, service, error, id)
    throw error
  }
}

const visibilityLag = (fault: Fault | undefined): number => (fault?.kind === 'seenLate' ? fault.seconds * 1000 : 0)

function findOperation(
  aws: Aws,
  service: AwsService,
  signed: SignedRequest,
): { operation: AwsOperation; input: Structure } {
  const body = signed.body.toString('utf8')
  const query = queryServices[service]
  const target = signed.headers['x-amz-target']
  const { action, input } =
    query === undefined ? readJson(typeof target === 'string' ? target : '', body) : readForm(body)
  const operation = aws.find(service, action)
  if (operation !== undefined) return { operation, input }
  throw new AwsRefusal(
    400,
    query === undefined ? 'UnknownOperationException' : 'InvalidAction',
    `Could not find operation ${action}`,
  )
}

function sendReply(
  reply: FastifyReply,
  service: AwsService,
  operation: AwsOperation,
  output: Structure | undefined,
  id: string,
  malformed: boolean,
): FastifyReply {
  const query = queryServices[service]
  const body = query === undefined ? jsonReply(output) : xmlReply(operation.action, query.namespace, output, id)
  const payload = malformed ? body.slice(0, Math.max(1, Math.floor(body.length / 2))) || '{"' : body
  return withHeaders(reply, service, id).code(200).send(payload)
}

function refuse(reply: FastifyReply, service: AwsService, refusal: AwsRefusal, id: string): FastifyReply {
  const query = queryServices[service]
  if (refusal.retryAfter !== null) void reply.header('retry-after', String(refusal.retryAfter))
  return withHeaders(reply, service, id)
    .code(refusal.status)
    .send(query === undefined ? jsonRefusal(refusal) : xmlRefusal(query.namespace, refusal, id))
}

function withHeaders(reply: FastifyReply, service: AwsService, id: string): FastifyReply {
  const type = queryServices[service] === undefined ? 'application/x-amz-json-1.1' : 'text/xml'
  return reply.header('content-type', type).header('x-amzn-requestid', id)
}

function signedRequest(request: FastifyRequest): SignedRequest {
  return {
    method: request.method,
    url: request.url,
    headers: request.headers,
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
  }
}
