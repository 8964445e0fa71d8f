import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { FileReply } from '../core/handler.ts'

type Content = FileReply['content']
type Chunk = string | Buffer

/**
 * Length of the start of a file that is read before the reply begins. A failure while this part is read is answered
 * with its own status. Every failure of a shorter file is therefore answered with its own status.
 */
const START_LENGTH = 16 * 1024

/**
 * Sends a file while it is read. If reading fails after the reply has begun, the transfer is aborted: Fastify closes
 * the connection before the last chunk. HTTP/1.0 has no chunks, and the end of the connection is the end of the file,
 * so the connection of such a client (a proxy, for example) is reset.
 * @throws the error of `content` if its start cannot be read
 */
export async function sendFile(reply: FastifyReply, { name, type, content }: FileReply): Promise<FastifyReply> {
  const stream = Readable.from(await readStart(content))
  stream.once('error', () => {
    if (reply.request.raw.httpVersion === '1.0') reply.raw.socket?.resetAndDestroy()
  })
  return reply
    .type(type.startsWith('text/') || type.endsWith('json') ? `${type}; charset=utf-8` : type)
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(stream)
}

/** Returns the same content after its start has been read. */
async function readStart(content: Content): Promise<AsyncIterable<Chunk>> {
  const chunks = chunksOf(content)
  const start: Chunk[] = []
  let length = 0
  while (length < START_LENGTH) {
    const next = await chunks.next()
    if (next.done) break
    start.push(next.value)
    length += next.value.length
  }
  return (async function* () {
    yield* start
    yield* chunks
  })()
}

async function* chunksOf(content: Content): AsyncGenerator<Chunk, void, undefined> {
  yield* content
}
