import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isDatabaseLost, isDiskFull } from '../db/lost.ts'
import { notFound, Problem } from '../core/errors.ts'
import { traceOf, traceparentOf } from '../telemetry/trace-id.ts'

/**
 * Answers every failure with a code, a sentence and the request's id; never with a stack. Its header `traceresponse`
 * is what finds the log's lines and the spans of what went wrong: in the body it would tell apart what must answer
 * alike. Source: https://w3c.github.io/trace-context/#traceresponse-header
 */
export function answerErrors(server: FastifyInstance): void {
  server.setErrorHandler((error: FastifyError, request, reply) => {
    const problem = problemOf(error)
    if (problem.status >= 500) request.log.error({ err: error }, problem.message)
    return answer(problem, request, reply)
  })
}

export function answer(problem: Problem, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (problem.retryAfter !== null) void reply.header('retry-after', problem.retryAfter)
  const { code, message, detail } = problem
  return reply
    .code(problem.status)
    .header('traceresponse', traceparentOf(traceOf(request.headers.traceparent, request.id)))
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send({ ...detail, code, message, error: message, requestId: request.id })
}

function problemOf(error: FastifyError): Problem {
  if (error instanceof Problem) return error
  if (isDatabaseLost(error)) {
    return new Problem('unavailable', 'The portal can not reach its database just now. Please try again shortly.', 5)
  }
  if (isDiskFull(error)) {
    return new Problem(
      'unavailable',
      'The portal has no disk space left: nothing was changed. Somebody who runs it must free some; then try again.',
      60,
    )
  }
  // A deadlock or a clash of two changes at the same moment: nothing was done, and asking again will do.
  if (error.code === '40P01' || error.code === '40001') {
    return new Problem('unavailable', 'The portal is busy just now. Please try again.', 1)
  }
  switch (error.statusCode) {
    // A file that must not be read is as absent as one that is not there.
    case 403:
    case 404:
      return notFound('page')
    case 413:
      return new Problem('tooLarge', 'The request is too large.')
    case 429:
      return new Problem('tooMany', 'Too many attempts. Please wait a moment and try again.', 60)
    case 400:
    case 414:
    case 415:
      return new Problem('malformed', 'The request must be JSON that can be read.')
    default:
      return new Problem('internal', 'Something went wrong on our side. Please try again.')
  }
}
