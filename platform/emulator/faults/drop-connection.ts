import type { FastifyReply } from 'fastify'

export function dropConnection(reply: FastifyReply): FastifyReply {
  void reply.hijack()
  reply.raw.destroy()
  return reply
}
