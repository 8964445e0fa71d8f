import type { FastifyReply } from 'fastify'
import type { Call } from '../../contract/call.ts'
import type { Db } from '../db/schema.ts'
import type { CallContext, StreamHandler } from '../core/handler.ts'

/**
 * Interval of heartbeats in milliseconds. They are events instead of comments, because clients must notice them within
 * the 5 s of their offline check.
 */
const HEARTBEAT_MS = 2_000
/** Unsent bytes at which a stream is closed, because its client does not read. The browser opens a new one. */
const UNSENT_BYTES_MAX = 1024 * 1024

export async function openStream(
  reply: FastifyReply,
  options: { db: Db; closing: AbortSignal; opened(): void },
  handler: StreamHandler<Call>,
  context: CallContext<Call>,
): Promise<void> {
  // The client disconnected during authentication, and its close event has already passed.
  if (reply.raw.destroyed) return void reply.hijack()
  const disconnected = new AbortController()
  reply.raw.on('close', () => disconnected.abort())
  const closed = AbortSignal.any([disconnected.signal, options.closing])
  let opened = false
  // The head is sent with the first event or heartbeat, so that a refusal can still set the status.
  const open = () => {
    if (opened) return
    opened = true
    options.opened()
    reply.hijack()
    reply.raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    reply.raw.write('retry: 2000\n\n')
  }
  const heartbeat = setInterval(() => {
    open()
    reply.raw.write('event: beat\ndata:\n\n')
  }, HEARTBEAT_MS)
  try {
    await handler(options.db, context, {
      closed,
      send: (event) => {
        open()
        reply.raw.write(`data: ${JSON.stringify(event)}\n\n`)
        if (reply.raw.writableLength > UNSENT_BYTES_MAX) reply.raw.destroy()
      },
    })
  } finally {
    clearInterval(heartbeat)
    if (opened) reply.raw.end()
  }
}
