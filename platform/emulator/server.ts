import Fastify, { type FastifyInstance } from 'fastify'
import { type Clock, wholeSecond } from './clock/clock.ts'
import { mountControl } from './control/control.ts'
import { refuseOtherSites } from './own-requests.ts'
import { mountMailPages } from './pages/mail-pages.ts'
import type { Emulated, Mounted, Part } from './part.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body of `text/plain` stays text, instead of being read as JSON. */
    plainText?: true
  }
}

/** An error of a body that is not JSON. */
export class InvalidJson extends Error {
  readonly statusCode = 400
}

export function buildServer(clock: Clock): FastifyInstance {
  const server = Fastify({
    bodyLimit: 6 * 1024 * 1024,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 260 },
  })

  refuseOtherSites(server)

  // Clients send a JSON content type without a body on POST and DELETE, which is valid.
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'string' }, (request, text, done) => {
    if (request.routeOptions.config.plainText && /^text\/plain\b/.test(request.headers['content-type'] ?? '')) {
      done(null, text)
      return
    }
    if (text === '') {
      done(null, undefined)
      return
    }
    try {
      done(null, JSON.parse(String(text)))
    } catch {
      done(new InvalidJson('The request content was invalid and could not be deserialized.'))
    }
  })

  // Clients read the emulator's clock from this header for their billing.
  server.addHook('onRequest', (_request, reply, done) => {
    void reply.header('date', new Date(wholeSecond(clock.now())).toUTCString())
    done()
  })
  return server
}

export function mountParts(parts: readonly Part[], emulated: Emulated): Mounted[] {
  const { server } = emulated
  const mounted: Mounted[] = []
  server.setErrorHandler((error, request, reply) => {
    for (const { answerError } of mounted) {
      const answered = answerError?.(error as Error, request, reply)
      if (answered) return answered
    }
    const status = (error as { statusCode?: number }).statusCode ?? 500
    const message = error instanceof Error ? error.message : String(error)
    if (status >= 500)
      process.stderr.write(`${request.method} ${request.url}: ${error instanceof Error ? error.stack : message}\n`)
    return reply.code(status).send({ error: message })
  })
  server.setNotFoundHandler((request, reply) => {
    for (const { notFound } of mounted) if (notFound?.path.test(request.url)) return notFound.answer(request, reply)
    return reply.code(404).send({ error: `The emulator has no route ${request.method} ${request.url}.` })
  })
  mountMailPages(emulated)
  for (const part of parts) mounted.push(part.mount(emulated) ?? {})
  mountControl(emulated, mounted)
  return mounted
}
