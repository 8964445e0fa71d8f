import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import type { FastifyInstance } from 'fastify'

export async function compressReplies(server: FastifyInstance): Promise<void> {
  await server.register(compress, {
    threshold: 1024,
    encodings: ['br', 'gzip'],
    // Replies are compressed on each request, so use a cheap level. Above 2, they become hardly shorter.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } },
    // Compressing 100 kB takes a third of a millisecond, a stream in another thread three times as much.
    syncThreshold: 256 * 1024,
  })
}
