import type { FastifyReply } from 'fastify'
import type { Call } from '@trainyard/contract/call.ts'
import type { Db } from '../db/schema.ts'
import type { Asked, Stream } from '../core/handler.ts'

/**
 * An event without data this often keeps proxies from closing a quiet stream, and tells whoever listens that the line
 * is not dead: browsers do not notice by themselves, and hide comment lines. Under the 5 s after which a screen says so.
 */
const BEAT_MS = 2_000

/** Answers with server-sent events until the client, the server or the handler ends it. */
export async function openStream(
  reply: FastifyReply,
  options: { db: Db; closing: AbortSignal },
  handler: Stream<Call>,
  asked: Asked<Call>,
): Promise<void> {
  // Whoever left while it was found out who they are is told nothing, and never closes again.
  if (reply.raw.destroyed) return void reply.hijack()
  const gone = new AbortController()
  reply.raw.on('close', () => gone.abort())
  const closed = AbortSignal.any([gone.signal, options.closing])
  let begun = false
  // The head is sent with the first event or beat, so that a refusal still gets its status.
  const begin = () => {
    if (begun) return
    begun = true
    reply.hijack()
    reply.raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    reply.raw.write('retry: 2000\n\n')
  }
  const beating = setInterval(() => {
    begin()
    reply.raw.write('event: beat\ndata:\n\n')
  }, BEAT_MS)
  try {
    await handler(options.db, asked, {
      closed,
      send: (event) => {
        begin()
        reply.raw.write(`data: ${JSON.stringify(event)}\n\n`)
      },
    })
  } finally {
    clearInterval(beating)
    if (begun) reply.raw.end()
  }
}
