import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Registers form handlers in a separate scope that parses form bodies. All other routes parse JSON. */
export function registerForms(server: FastifyInstance, answer: (scope: FastifyInstance) => void): void {
  void server.register(async (scope) => {
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, text, done) =>
      done(null, text),
    )
    answer(scope)
  })
}

export const formFields = (request: FastifyRequest): URLSearchParams =>
  new URLSearchParams(typeof request.body === 'string' ? request.body : '')
