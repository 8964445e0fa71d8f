import { createHttpHeaders, RestError } from '@azure/core-rest-pipeline'
import { describe, expect, test } from 'vitest'
import { graphIdentity } from '../graph/identity.ts'
import { asCloudError } from './errors.ts'
import { azureCredential } from './credentials.ts'
import { SIGN_INS } from './outcome-table.ts'

/** The real sign-in library; only the token endpoint's reply is scripted. */
function credentialAnswered(description: string | null) {
  return azureCredential({
    tenantId: '00000000-0000-4000-8000-000000000002',
    clientId: '00000000-0000-4000-8000-000000000003',
    clientSecret: 'secret-of-the-app',
    httpClient: {
      async sendRequest(request) {
        if (description === null) throw new RestError('getaddrinfo ENOTFOUND', { code: 'ENOTFOUND', request })
        const body = { error: 'invalid_client', error_description: `${description} Trace ID: 1 Timestamp: 2026-01-01` }
        const headers = createHttpHeaders({ 'content-type': 'application/json' })
        return { request, status: 401, headers, bodyAsText: JSON.stringify(body) }
      },
    },
  })
}

const failureOf = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => null,
    (problem: unknown) => problem,
  )

describe('a refused sign-in of the portal', () => {
  test.each(SIGN_INS.map(({ code, example, sentence }) => [code, example, sentence] as const))(
    'states what to do for AADSTS%i',
    async (_, example, message) => {
      const problem = await failureOf(credentialAnswered(example).getToken('https://management.azure.com/.default'))
      expect(asCloudError(problem, 'read it')).toMatchObject({ name: 'CloudError', kind: 'unauthorised', message })
    },
  )

  test('states the same for Entra, and never the secret', async () => {
    const [{ example, sentence: message }] = SIGN_INS as [(typeof SIGN_INS)[number]]
    const identity = graphIdentity({ credential: credentialAnswered(example) })
    const problem = await failureOf(
      identity.blockUser('00000000-0000-4000-8000-000000000009', AbortSignal.timeout(20_000)),
    )
    expect(problem).toMatchObject({ kind: 'unauthorised', message })
    expect(JSON.stringify(problem, Object.getOwnPropertyNames(problem))).not.toContain('secret-of-the-app')
  })

  test('is general for a code that the table lacks', async () => {
    const problem = await failureOf(
      credentialAnswered('AADSTS1: Odd.').getToken('https://management.azure.com/.default'),
    )
    const message = 'The portal could not sign in to Azure. Check its credentials.'
    expect(asCloudError(problem, 'read it')).toMatchObject({ kind: 'unauthorised', message })
  })
})
