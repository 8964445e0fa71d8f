import { createHttpHeaders, RestError } from '@azure/core-rest-pipeline'
import { describe, expect, test } from 'vitest'
import { graphIdentity } from '@trainyard/sandbox-azure/server/identity.ts'
import { asCloudError } from './errors.ts'
import { azureCredential } from './credentials.ts'
import { SIGN_INS, signInSentence } from './outcome-table.ts'

/** Returns a credential of the real sign-in library. Only the token endpoint's reply is scripted. */
function credentialAnswered(description: string | null, isUsers = false) {
  return azureCredential({
    tenantId: '00000000-0000-4000-8000-000000000002',
    clientId: '00000000-0000-4000-8000-000000000003',
    proof: { kind: 'secret', secret: 'secret-of-the-app' },
    isUsers,
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
  test.each(SIGN_INS.map((row) => [row.codes[0]!, row.example, signInSentence(row)] as const))(
    'states what to do for AADSTS%i',
    async (_, example, message) => {
      const problem = await failureOf(credentialAnswered(example).getToken('https://management.azure.com/.default'))
      expect(asCloudError(problem, 'read it')).toMatchObject({ name: 'CloudError', kind: 'unauthorised', message })
    },
  )

  test('has the same sentence for calls to Graph, which never contains the secret', async () => {
    const { example } = SIGN_INS[0]!
    const message = signInSentence(SIGN_INS[0]!)
    const identity = graphIdentity({ credential: credentialAnswered(example) })
    const problem = await failureOf(
      identity.blockUser('00000000-0000-4000-8000-000000000009', AbortSignal.timeout(20_000)),
    )
    expect(problem).toMatchObject({ kind: 'unauthorised', message })
    expect(JSON.stringify(problem, Object.getOwnPropertyNames(problem))).not.toContain('secret-of-the-app')
  })

  test('does not name settings of the portal if a user entered the app registration', async () => {
    for (const { example } of SIGN_INS) {
      const problem = await failureOf(
        credentialAnswered(example, true).getToken('https://management.azure.com/.default'),
      )
      expect(problem).toMatchObject({ name: 'SignInRefused' })
      expect(String(problem)).toMatch(/\(AADSTS\d+\)\. Correct this in Entra/)
      expect(String(problem)).not.toMatch(/AZURE_/)
    }
  })

  test('has a general sentence for a code that is not in the table', async () => {
    const problem = await failureOf(
      credentialAnswered('AADSTS1: Odd.').getToken('https://management.azure.com/.default'),
    )
    const message = 'The portal could not sign in to Azure. Check its credentials.'
    expect(asCloudError(problem, 'read it')).toMatchObject({ kind: 'unauthorised', message })
  })
})
