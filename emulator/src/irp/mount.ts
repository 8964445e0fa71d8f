import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { parseInput } from '#src/control/parse-input.ts'
import { dropConnection } from '#src/faults/drop-connection.ts'
import type { Faults } from '#src/faults/faults.ts'
import type { Database } from '#src/record/database.ts'
import { client, decryptAes, encryptAes, type Irp, IrpRefusal, newKeyPair, type RequestHeaders } from '#src/irp/irp.ts'

interface IrpContext {
  readonly irp: Irp
  readonly faults: Faults
  readonly database: Database
}

const pair = z.strictObject({ public: z.string(), private: z.string() })
const control = z.strictObject({
  wrongIrn: z.string().length(64).nullable().optional(),
  /** Keys in PEM. A portal that is started together with the emulator cannot read the emulator's own keys before. */
  keys: z.strictObject({ encryption: pair, signing: pair }).optional(),
})

export function mountIrp(server: FastifyInstance, context: IrpContext): void {
  const { irp } = context
  server.post('/eivital/v1.04/auth', (request, reply) =>
    serve(context, 'Irp_Auth', reply, () => irp.signIn(headersOf(request), request.body)),
  )
  const secured = (
    name: string,
    request: FastifyRequest,
    reply: FastifyReply,
    answer: (session: ReturnType<Irp['requireSession']>, form: unknown, forged: boolean) => object,
  ) =>
    serve(context, name, reply, (forged) => {
      const session = irp.requireSession(headersOf(request))
      const data = answer(session, formOf(session.sessionKey, request.body), forged)
      return encryptAes(session.sessionKey, Buffer.from(JSON.stringify(data)))
    })
  server.post('/eicore/v1.03/Invoice', (request, reply) =>
    secured('Irp_Generate', request, reply, (session, form, forged) =>
      forged ? irp.register(session, form, newKeyPair()) : irp.register(session, form),
    ),
  )
  server.get('/eicore/v1.03/Invoice/irn/:irn', (request, reply) =>
    secured('Irp_Get', request, reply, (session) => irp.read(session, (request.params as { irn: string }).irn)),
  )
  server.post('/eicore/v1.03/Invoice/Cancel', (request, reply) =>
    secured('Irp_Cancel', request, reply, (session, form) => irp.cancel(session, form)),
  )

  server.get('/_irp', () => {
    const { encryption, signing } = irp.keys()
    return { ...client, publicKey: encryption.public, signingKey: signing.public, ...irp.counts() }
  })
  server.post('/_irp', (request) => {
    const { wrongIrn, keys } = parseInput(control, request.body)
    if (wrongIrn !== undefined) irp.wrongIrn = wrongIrn
    if (keys !== undefined) irp.useKeys(keys)
    return { wrongIrn: irp.wrongIrn }
  })
}

const headersOf = (request: FastifyRequest): RequestHeaders => request.headers as RequestHeaders

function formOf(sessionKey: Buffer, body: unknown): unknown {
  if (body === undefined || body === null) return undefined
  try {
    return JSON.parse(decryptAes(sessionKey, z.strictObject({ Data: z.string() }).parse(body).Data).toString('utf8'))
  } catch {
    throw new IrpRefusal(2140)
  }
}

/** Answers with the envelope of every reply. Refusals have the status 200 too. */
function serve(
  { faults, database }: IrpContext,
  name: string,
  reply: FastifyReply,
  answer: (forged: boolean) => object | string,
): FastifyReply {
  const fault = faults.consume(name, '')
  if (fault?.kind === 'hang') return reply.hijack()
  if (fault?.kind === 'dropConnection') return dropConnection(reply)
  if (fault?.kind === 'serverError') return reply.code(500).send('Internal Server Error')
  if (fault?.kind === 'throttle') return reply.code(429).header('retry-after', String(fault.retryAfter)).send('')
  try {
    if (fault?.kind === 'unauthorised') throw new IrpRefusal(1005)
    const data = database.transaction(() => answer(fault?.kind === 'signedByAnotherKey'))
    if (fault?.kind === 'loseReply') return dropConnection(reply)
    if (fault?.kind === 'malformed') return reply.type('application/json').send('{"Status": 1, "Data": "')
    return reply.send({ Status: 1, Data: data, ErrorDetails: null, InfoDtls: null })
  } catch (error) {
    if (!(error instanceof IrpRefusal)) throw error
    const { code, message, info } = error
    const ErrorDetails = [{ ErrorCode: String(code), ErrorMessage: message }]
    return reply.send({ Status: 0, Data: null, ErrorDetails, InfoDtls: info })
  }
}
