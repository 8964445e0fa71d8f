import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Front } from '#src/azure/arm/mount.ts'
import { iso } from '#src/clock/clock.ts'
import { takeForms, typedIn } from '#src/pages/forms.ts'

/** An hour, as Microsoft gives. */
const lifetime = 3_599

/** The sign-in service, for the app registration alone: client credentials for Azure and for Graph. */
export function mountToken(server: FastifyInstance, front: Front): void {
  takeForms(server, (scope) => answerTokens(scope, front))
}

function answerTokens(server: FastifyInstance, { clock }: Front): void {
  server.post('/:tenant/oauth2/v2.0/token', (request, reply) => {
    const form = typedIn(request)
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
