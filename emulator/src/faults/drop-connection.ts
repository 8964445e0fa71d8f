import type { FastifyReply } from 'fastify'

/** The connection goes, with no word. */
export function dropConnection(reply: FastifyReply): FastifyReply {
  void reply.hijack()
  reply.raw.destroy()
  return reply
}
