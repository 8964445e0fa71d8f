import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { EmulatorContext } from '#src/azure/arm/mount.ts'
import { iso } from '#src/clock/clock.ts'
import { registerForms, formFields } from '#src/pages/forms.ts'

/** Seconds until a token expires, as at Microsoft. */
const lifetime = 3_599

export function mountToken(server: FastifyInstance, context: EmulatorContext): void {
  registerForms(server, (scope) => answerTokens(scope, context))
}

function answerTokens(server: FastifyInstance, { clock }: EmulatorContext): void {
  server.post('/:tenant/oauth2/v2.0/token', (request, reply) => {
    const form = formFields(request)
    const refuse = (status: number, error: string, number: number, sentence: string) => {
      const id = randomUUID()
      return reply.code(status).send({
        error,
        error_description: `AADSTS${number}: ${sentence} Trace ID: ${id} Timestamp: ${iso(clock.now())}`,
        error_codes: [number],
        timestamp: iso(clock.now()),
        trace_id: id,
        correlation_id: id,
      })
    }
    if (form.get('grant_type') !== 'client_credentials') {
      return refuse(400, 'unsupported_grant_type', 70003, 'The app requested an unsupported grant type.')
    }
    if (!form.get('scope')?.endsWith('/.default')) {
      return refuse(400, 'invalid_scope', 1002012, 'The provided value for scope is not valid.')
    }
    const secret = form.get('client_secret') ?? ''
    if (secret === '' || secret === 'wrong') {
      return refuse(401, 'invalid_client', 7000215, 'Invalid client secret provided.')
    }
    return reply.send({
      token_type: 'Bearer',
      expires_in: lifetime,
      ext_expires_in: lifetime,
      access_token: randomUUID().replaceAll('-', ''),
    })
  })
}
