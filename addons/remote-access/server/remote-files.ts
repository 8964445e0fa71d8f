import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { key, transfers } from '@trainyard/platform/contract/limits.ts'
import { remote } from '../contract/remote.ts'
import {
  FILE_PIECE_BYTES,
  FILE_MESSAGES,
  type FileDirection,
  nameOfPath,
  displayFileName,
  TRANSFERS,
} from '@trainyard/platform/contract/words/file.ts'
import type { SecondFactorRule } from '@trainyard/platform/contract/words/sign-in.ts'
import { notFound, Problem, signedOut } from '@trainyard/platform/server/core/errors.ts'
import { requireSecondFactor } from '@trainyard/platform/server/core/second-factor-duty.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { problemWith } from './files.ts'
import { endTransfer, grantTransfer, requireOwnTransfer } from './transfer.ts'
import { requireRole, authenticate, sessionCookie } from '@trainyard/platform/server/http/authenticate.ts'
import type { RouteParts } from '@trainyard/platform/server/http/server.ts'
import { claimantOf } from '@trainyard/platform/server/http/shares.ts'
import type { FilesConnector } from './machine-files.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { openDownload, readDownload } from './download.ts'
import { type TransferRequest, ActiveTransfers } from './active-transfers.ts'
import { Uploads } from './upload.ts'

export interface FilesDependencies extends RouteParts {
  readonly db: Db
  readonly seal: Pick<Seal, 'open'>
  readonly connector: FilesConnector
  readonly publicUrl: string
  readonly secondFactor: SecondFactorRule
  readonly onBug: (bug: unknown) => void
}

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
/** Maximum duration of one download request, in milliseconds. A longer download continues with another request. */
const MAX_DURATION_MS = 2 * 3600 * 1000

export function serveFiles(outer: FastifyInstance, parts: FilesDependencies): void {
  const { db, seal, refusals, admission, limits, callers, onBug } = parts
  const moves = new ActiveTransfers(parts)
  const uploads = new Uploads(db, moves)
  outer.addHook('preClose', async () => {
    uploads.stop()
    moves.stop()
  })

  /** Refuses a caller before the body is read. */
  const identify = async (request: FastifyRequest, reply: FastifyReply) => {
    const beginRequest = {
      cookieName: sessionCookie(parts.publicUrl.startsWith('https:')),
      isUse: true,
      rule: parts.secondFactor,
    }
    const identity = await callers.identify(request, parts, () => authenticate(db, request, beginRequest))
    requireRole(remote.transfer, identity)
    await limits.count(request, reply, [transfers, key], identity)
    requireSecondFactor(identity.secondFactorDuty, undefined)
    const { actor, sessionHash } = identity
    if (actor === null || sessionHash === null) throw signedOut()
    await requireOwnTransfer(db, actor, transferIn(request))
    return { actor, sessionHash }
  }

  const grant = async (
    request: FastifyRequest,
    { actor, sessionHash }: { actor: Actor; sessionHash: Buffer },
  ): Promise<TransferRequest> => {
    const transfer = transferIn(request)
    const address = request.ip
    try {
      const granted = await admission.run(request, () =>
        db.transaction().execute((tx) => grantTransfer(tx, { db, seal }, { actor, sessionHash }, transfer)),
      )
      return { granted, sessionHash, claimant: claimantOf(actor, address), address }
    } catch (error) {
      const name = `remote.${transfer.direction}`
      await refusals.write(null, error, { name, requestId: request.id, actor, address, request: { id: transfer.id } })
      throw error
    } finally {
      // The machine and the client may be slow. Meanwhile the transfer occupies no place among the running calls.
      admission.release(request)
    }
  }

  const holders = new WeakMap<FastifyRequest, { actor: Actor; sessionHash: Buffer }>()
  void outer.register(async (server) => {
    server.addContentTypeParser(
      'application/octet-stream',
      { parseAs: 'buffer', bodyLimit: FILE_PIECE_BYTES },
      (_request, body, done) => done(null, body),
    )
    server.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const holder = await admission.run(request, () => identify(request, reply))
      holders.set(request, holder)
    })

    const config = { callClass: 'change' } as const
    server.put(`/api${TRANSFERS}/:id/:offset`, { schema: { hide: true }, config }, async (request) => {
      const { offset } = request.params as { offset: string }
      if (!/^\d{1,10}$/.test(offset) || !Buffer.isBuffer(request.body))
        throw new Problem('malformed', FILE_MESSAGES.offset)
      const holder = holders.get(request)!
      const transfer = await grant(request, holder)
      const part = { offset: Number(offset), bytes: request.body, sha256: digestIn(request) }
      try {
        return await uploads.write(transfer, part, { actor: holder.actor, requestId: request.id })
      } catch (error) {
        throw problemWith(error, transfer.granted.machine.name, displayFileName(transfer.granted.path))
      }
    })

    server.get(
      `/api${TRANSFERS}/:id`,
      { schema: { hide: true }, exposeHeadRoute: false, compress: false, config },
      async (request, reply) => {
        const { actor, sessionHash } = holders.get(request)!
        const transfer = await grant(request, { actor, sessionHash })
        const { granted } = transfer
        const activeTransfer = await moves.start(transfer).catch((error: unknown) => {
          throw problemWith(error, granted.machine.name, displayFileName(granted.path))
        })
        try {
          // The plugin is loaded late: @fastify/static requires it while the server loads, and Node refuses to load it
          // twice at once.
          const { create: attachment } = await import('content-disposition')
          const opened = await openDownload(db, transfer, activeTransfer)
          const { size, tag } = opened
          const from = rangeIn(request, opened)
          const maximum = setTimeout(() => activeTransfer.end(FILE_MESSAGES.stalled), MAX_DURATION_MS)
          const stream = Readable.from(readDownload(db, transfer, activeTransfer, { ...opened, from, to: size }), {
            objectMode: false,
            highWaterMark: 64 * 1024,
          })
          activeTransfer.signal.addEventListener('abort', () => stream.destroy())
          reply.raw.once('close', () => {
            clearTimeout(maximum)
            const isComplete = reply.raw.writableFinished
            activeTransfer.end(FILE_MESSAGES.ended)
            const end = { actor, requestId: request.id, result: FILE_MESSAGES.done }
            if (isComplete)
              db.transaction()
                .execute((tx) => endTransfer(tx, granted, end))
                .catch(onBug)
          })
          if (from > 0) reply.code(206).header('content-range', `bytes ${from}-${size - 1}/${size}`)
          return reply
            .type('application/octet-stream')
            .header('content-length', size - from)
            .header('accept-ranges', 'bytes')
            .header('etag', tag)
            .header('content-disposition', attachment(displayFileName(nameOfPath(opened.path))))
            .send(stream)
        } catch (error) {
          activeTransfer.end(FILE_MESSAGES.ended)
          throw problemWith(error, granted.machine.name, displayFileName(granted.path))
        }
      },
    )
  })
}

/** @throws Problem notFound */
function transferIn(request: FastifyRequest): { readonly id: string; readonly direction: FileDirection } {
  const { id } = request.params as { id: string }
  if (!ID.test(id)) throw notFound('transfer')
  return { id, direction: request.method === 'PUT' ? 'upload' : 'download' }
}

/** Returns the range. Browsers resume with a range up to the end of the file, which is valid for the same ETag only. */
function rangeIn(request: FastifyRequest, { size, tag }: { readonly size: number; readonly tag: string }): number {
  const range = /^bytes=(\d{1,10})-$/.exec(request.headers.range ?? '')
  const provided = request.headers['if-range']
  if (range === null || (provided !== undefined && provided !== tag)) return 0
  const from = Number(range[1])
  return from < size ? from : 0
}

/** Source of the header's form: RFC 9530. */
function digestIn(request: FastifyRequest): Buffer | null {
  const provided = /^sha-256=:([\w+/=]{44}):$/.exec(String(request.headers['content-digest'] ?? ''))
  return provided === null ? null : Buffer.from(provided[1]!, 'base64')
}
