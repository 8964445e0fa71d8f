import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Span, Telemetry, Tracer } from '../telemetry/telemetry.ts'
import { traceOf, traceparentOf } from '../telemetry/trace-id.ts'

const spans = new WeakMap<FastifyRequest, Span>()

export function instrumentCalls(server: FastifyInstance, { meters, tracer }: Telemetry): void {
  if (tracer !== null) {
    server.addHook('onRequest', async (request) => {
      const { call } = request.routeOptions.config
      if (call === undefined) return
      const parent = traceparentOf(traceOf(request.headers['traceparent'], request.id))
      const span = tracer.startSpan(call, { kind: 'call', parent })
      span.set('trainyard.request', request.id)
      spans.set(request, span)
    })
  }
  if (meters === null && tracer === null) return
  server.addHook('onResponse', async (request, reply) => {
    const { call } = request.routeOptions.config
    meters?.countCall(call ?? 'page', reply.statusCode, reply.elapsedTime / 1000)
    const span = spans.get(request)
    span?.set('http.response.status_code', reply.statusCode)
    span?.end(reply.statusCode >= 500 ? String(reply.statusCode) : null)
  })
}

type Handle = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

export const inRequestSpan = (tracer: Tracer | null, handle: Handle): Handle =>
  tracer === null
    ? handle
    : (request, reply) => {
        const span = spans.get(request)
        return span === undefined ? handle(request, reply) : tracer.runInSpan(span, () => handle(request, reply))
      }
