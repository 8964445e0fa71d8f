import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { dropConnection } from '@trainyard/platform/emulator/faults/drop-connection.ts'
import type { Fault } from '@trainyard/platform/emulator/faults/fault.ts'
import type { Razorpay } from './account.ts'
import { merchant } from './merchant.ts'
import { applyDueAnswers } from './bank.ts'
import { type RazorpayCall, razorpayCalls } from './calls.ts'
import { noSuchUrl, notAuthenticated, RazorpayRefusal } from './refusal.ts'

export function mountRazorpay(server: FastifyInstance, razorpay: Razorpay): void {
  for (const call of razorpayCalls) {
    server.route({
      method: call.method,
      url: call.path,
      handler: (request, reply) => serve(razorpay, call, request, reply),
    })
  }
}

function serve(razorpay: Razorpay, call: RazorpayCall, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { id = '' } = request.params as { id?: string }
  const fault = razorpay.faults.consume(call.name, id)
  if (fault?.kind === 'hang') return reply.hijack()
  if (fault?.kind === 'dropConnection') return dropConnection(reply)
  try {
    if (!isMerchant(request.headers.authorization)) throw notAuthenticated()
    throwFault(fault)
    applyDueAnswers(razorpay)
    const header = (name: string) => {
      const value = request.headers[name]
      return typeof value === 'string' ? value : undefined
    }
    const callInput = { id, query: request.query as Record<string, string>, body: request.body, header }
    const answer = razorpay.database.transaction(() => call.answer(razorpay, callInput))
    if (fault?.kind === 'loseReply') return dropConnection(reply)
    if (fault?.kind === 'malformed') return reply.type('application/json').send('{"id": "')
    return reply.send(answer)
  } catch (error) {
    if (!(error instanceof RazorpayRefusal)) throw error
    return refuse(reply, error)
  }
}

function refuse(reply: FastifyReply, { status, headers, body }: RazorpayRefusal): FastifyReply {
  return reply.code(status).headers(headers).send(body)
}

export function razorpayNotFound(reply: FastifyReply): FastifyReply {
  return refuse(reply, noSuchUrl())
}

function throwFault(fault: Fault | undefined): void {
  switch (fault?.kind) {
    case 'throttle':
      throw new RazorpayRefusal(429, 'Request failed. Please try after sometime.', {
        reason: 'NA',
        headers: { 'retry-after': String(fault.retryAfter) },
      })
    case 'serverError':
      throw new RazorpayRefusal(500, 'We are facing some trouble completing your request at the moment.', {
        code: 'SERVER_ERROR',
        reason: 'NA',
      })
    case 'unauthorised':
      throw notAuthenticated()
    default:
  }
}

const expected = Buffer.from(`Basic ${Buffer.from(`${merchant.keyId}:${merchant.keySecret}`).toString('base64')}`)

function isMerchant(authorization: string | undefined): boolean {
  const credentials = Buffer.from(authorization ?? '')
  return credentials.length === expected.length && timingSafeEqual(credentials, expected)
}
