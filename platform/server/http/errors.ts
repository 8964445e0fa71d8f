import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  isBeingUpgraded,
  isForbidden,
  isDatabaseBusy,
  isDatabaseLost,
  isDiskFull,
  isRejectedValue,
} from '../db/lost.ts'
import type { Db } from '../db/schema.ts'
import { notFound, Problem } from '../core/errors.ts'
import { BUSY } from './admission/admission.ts'
import { UnreadableSecret } from '../run/secrets/seal.ts'
import type { DiskState } from './disk-state.ts'

/**
 * Handles errors of calls. Replies contain no stack trace; `requestId` identifies the lines of the log.
 * @param db to find out if a missing privilege means that an upgrade is in progress
 * @param send by default, replies with JSON
 */
export function handleErrors(
  server: FastifyInstance,
  disk: DiskState,
  db: Db | null,
  send: (problem: Problem, request: FastifyRequest, reply: FastifyReply) => FastifyReply = sendProblem,
): void {
  server.setErrorHandler(async (error: FastifyError, request, reply) => {
    const problem = (await isOfUpgrade(error, db)) ? UPGRADE : problemOf(error)
    if (isDiskFull(error)) disk.refused()
    // The stack of an overloaded or unreachable database is not logged: it explains nothing, and overload would fill
    // the log with it.
    if (problem.code === 'unavailable') {
      // A user who leaves a page ends its calls, which is no event for the operator.
      const level = request.socket.destroyed ? 'debug' : 'warn'
      request.log[level]({ reason: error.message }, problem.message)
    } else if (problem.status >= 500) request.log.error({ err: error }, problem.message)
    // Validation should have rejected this value earlier. The log contains the error, so that the operator can report
    // the query.
    else if (isRejectedValue(error)) request.log.warn({ err: error }, 'the database rejected a value of the request')
    return send(problem, request, reply)
  })
}

export function sendProblem(problem: Problem, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (problem.retryAfter !== null) void reply.header('retry-after', problem.retryAfter)
  const { code, message, detail } = problem
  return (
    reply
      .code(problem.status)
      // Removes the headers of a file whose first bytes could not be read.
      .removeHeader('content-disposition')
      .removeHeader('content-encoding')
      .type('application/json; charset=utf-8')
      .serializer(JSON.stringify)
      .send({ ...detail, code, message, error: message, requestId: request.id })
  )
}

async function isOfUpgrade(error: FastifyError, db: Db | null): Promise<boolean> {
  if (db === null || !isForbidden(error)) return false
  try {
    return await isBeingUpgraded(db)
  } catch {
    return false
  }
}

const UPGRADE = new Problem(
  'unavailable',
  'The portal is being upgraded and accepts no changes for a moment. Nothing was changed. Try again shortly.',
  30,
)

function problemOf(error: FastifyError): Problem {
  if (error instanceof Problem) return error
  if (error instanceof UnreadableSecret) return new Problem('conflict', `${error.message} Ask the operator to add it.`)
  if (isDatabaseBusy(error)) return new Problem('unavailable', BUSY, 5)
  if (isDatabaseLost(error)) {
    return new Problem('unavailable', 'The portal cannot reach its database. Try again shortly.', 5)
  }
  if (isDiskFull(error)) {
    return new Problem(
      'unavailable',
      'The portal has no disk space left. Nothing was changed. Try again after the operator has freed disk space.',
      60,
    )
  }
  // Deadlock or serialization failure: the transaction was rolled back, so the call can be retried.
  if (error.code === '40P01' || error.code === '40001') {
    return new Problem('unavailable', 'The portal is busy. Please try again.', 1)
  }
  if (isRejectedValue(error)) {
    return new Problem('malformed', 'A value of the request is out of range. Correct it and try again.')
  }
  switch (error.statusCode) {
    // The reply does not reveal if a forbidden file exists.
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
      return new Problem('malformed', 'The request must be valid JSON.')
    default:
      return new Problem('internal', 'Something went wrong on our side. Please try again.')
  }
}
