import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { AzureContext } from './arm/mount.ts'
import { DEFAULT_TENANT_ID } from './subscriptions/subscriptions.ts'
import { iso } from '@trainyard/platform/emulator/clock/clock.ts'
import { refusalOfClient, type SignInRefusal } from './client-credentials.ts'
import { tenantIn } from './tenant.ts'
import { registerForms, formFields } from '@trainyard/platform/emulator/pages/forms.ts'

/** Seconds until a token expires, as at Microsoft. */
const lifetime = 3_599

export function mountToken(server: FastifyInstance, context: AzureContext): void {
  registerForms(server, (scope) => answerTokens(scope, context))
  mountManagedIdentity(server, context)
}

function answerTokens(server: FastifyInstance, { clock, cloud }: AzureContext): void {
  server.post('/:tenant/oauth2/v2.0/token', (request, reply) => {
    const form = formFields(request)
    const tenantId = (request.params as { tenant: string }).tenant.toLowerCase()
    const knownTenant = cloud.settings.read('subscription.tenant') ?? DEFAULT_TENANT_ID
    const refusal =
      tenantId === knownTenant.toLowerCase()
        ? (refusalOfRequest(form) ??
          refusalOfClient({ form, tenantId, tenant: tenantIn(cloud.settings), now: clock.now() }))
        : invalid('invalid_request', 90002, `Tenant '${tenantId}' not found.`)
    if (refusal === null) return reply.send(issue(form.get('scope')!.replace(/\/\.default$/, ''), clock.now()))
    const { status, error, code, sentence } = refusal
    const id = randomUUID()
    return reply.code(status).send({
      error,
      error_description: `AADSTS${code}: ${sentence} Trace ID: ${id} Timestamp: ${iso(clock.now())}`,
      error_codes: [code],
      timestamp: iso(clock.now()),
      trace_id: id,
      correlation_id: id,
    })
  })
}

const invalid = (error: string, code: number, sentence: string): SignInRefusal => ({
  status: 400,
  error,
  code,
  sentence,
})

function refusalOfRequest(form: URLSearchParams): SignInRefusal | null {
  if (form.get('grant_type') !== 'client_credentials') {
    return invalid('unsupported_grant_type', 70003, 'The app requested an unsupported grant type.')
  }
  if (!form.get('scope')?.endsWith('/.default')) {
    return invalid('invalid_scope', 1002012, 'The provided value for scope is not valid.')
  }
  return null
}

interface IssuedToken {
  readonly token_type: 'Bearer'
  readonly expires_in: number
  readonly ext_expires_in: number
  readonly access_token: string
}

function issue(audience: string, now: number): IssuedToken {
  const claims = { aud: audience, exp: Math.floor(now / 1000) + lifetime, jti: randomUUID() }
  const parts = [{ typ: 'JWT', alg: 'RS256' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  )
  const access_token = [...parts, randomUUID().replaceAll('-', '')].join('.')
  return { token_type: 'Bearer', expires_in: lifetime, ext_expires_in: lifetime, access_token }
}

/** Returns true if the token was issued for the resource and has not expired. */
export function isTokenFor(token: string, audiences: readonly string[], now: number): boolean {
  try {
    const { aud, exp } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
      aud?: unknown
      exp?: unknown
    }
    return audiences.includes(String(aud)) && Number(exp) * 1000 > now
  } catch {
    return false
  }
}

/**
 * Serves tokens of managed identities like the metadata service of an Azure machine. Source: learn.microsoft.com, "How to
 * use managed identities for Azure resources on an Azure VM to acquire an access token".
 */
function mountManagedIdentity(server: FastifyInstance, { clock, cloud }: AzureContext): void {
  server.get('/metadata/identity/oauth2/token', (request, reply) => {
    const query = request.query as Readonly<Record<string, string | undefined>>
    const refuse = (description: string) =>
      reply.code(400).send({ error: 'invalid_request', error_description: description })
    if (request.headers.metadata !== 'true') return refuse('Required metadata header not specified')
    if (query['api-version'] === undefined) return refuse('Required query variable api-version is missing')
    if (query.resource === undefined) return refuse('Required query variable resource is missing')
    const { system, user } = tenantIn(cloud.settings).managedIdentities
    const clientId = query.client_id?.toLowerCase()
    if (clientId === undefined ? !system : !user.includes(clientId)) return refuse('Identity not found')
    const { expires_in, ext_expires_in, ...token } = issue(query.resource, clock.now())
    const expiresOn = Math.floor(clock.now() / 1000) + lifetime
    return {
      ...token,
      expires_in: String(expires_in),
      ext_expires_in: String(ext_expires_in),
      expires_on: String(expiresOn),
      resource: query.resource,
    }
  })
}
