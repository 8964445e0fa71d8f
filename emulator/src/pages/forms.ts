import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Gives those who answer forms a place of their own on the server: elsewhere bodies are JSON. */
export function takeForms(server: FastifyInstance, answer: (scope: FastifyInstance) => void): void {
  void server.register(async (scope) => {
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, text, done) =>
      done(null, text),
    )
    answer(scope)
  })
}

/** Returns the fields of the submitted form; none when no form came. */
export const typedIn = (request: FastifyRequest): URLSearchParams =>
  new URLSearchParams(typeof request.body === 'string' ? request.body : '')
