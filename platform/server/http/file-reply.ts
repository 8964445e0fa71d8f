import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { FileReply } from '../core/handler.ts'

type Content = FileReply['content']
type Chunk = string | Buffer

/**
 * Minimum length of a part. The first one is read before the reply begins, so that a failure is answered with its own
 * status. Every failure of a shorter file is therefore answered with its own status.
 */
const PART_LENGTH = 16 * 1024
/** Maximum duration of a reply, for clients that read a few bytes from time to time. */
const REPLY_MS = 30 * 60_000

/**
 * Sends a file while it is read. If reading fails after the reply has begun, the transfer is aborted: Fastify closes
 * the connection before the last chunk. HTTP/1.0 has no chunks, and the end of the connection is the end of the file,
 * so the connection of such a client (a proxy, for example) is reset.
 * @param inTurn reads a part when the file's turn has come
 * @throws the error of `content` if its start cannot be read
 */
export async function sendFile(
  reply: FastifyReply,
  { name, type, content }: FileReply,
  inTurn: <T>(read: () => Promise<T>) => Promise<T>,
): Promise<FastifyReply> {
  const chunks = chunksOf(content)
  const start = await inTurn(() => readPart(chunks))
  const stream = Readable.from(
    (async function* () {
      try {
        for (let part = start; part.length > 0; part = await inTurn(() => readPart(chunks))) yield* part
      } finally {
        await chunks.return()
      }
    })(),
  )
  stream.once('error', () => {
    if (reply.request.raw.httpVersion === '1.0') reply.raw.socket?.resetAndDestroy()
  })
  const deadline = setTimeout(() => reply.raw.destroy(), REPLY_MS).unref()
  reply.raw.once('close', () => clearTimeout(deadline))
  return reply
    .type(type.startsWith('text/') || type.endsWith('json') ? `${type}; charset=utf-8` : type)
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(stream)
}

/** Returns the next part of a file; an empty one at its end. */
async function readPart(chunks: AsyncGenerator<Chunk, void, undefined>): Promise<Chunk[]> {
  const part: Chunk[] = []
  let length = 0
  while (length < PART_LENGTH) {
    const next = await chunks.next()
    if (next.done) break
    part.push(next.value)
    length += next.value.length
  }
  return part
}

async function* chunksOf(content: Content): AsyncGenerator<Chunk, void, undefined> {
  yield* content
}
