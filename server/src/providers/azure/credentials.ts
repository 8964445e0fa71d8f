import type { HttpClient } from '@azure/core-rest-pipeline'
import type { TokenCredential } from '@azure/identity'
import { SIGN_INS, signInSentence } from './outcome-table.ts'

export interface AzureSignIn {
  readonly tenantId: string
  readonly clientId: string
  readonly clientSecret: string
  readonly authority?: string
  readonly httpClient?: HttpClient
  /** True for an app registration that a user entered. Default: the portal's own. */
  readonly isUsers?: boolean
}

/** Signs in as an app registration. The sign-in library loads on first use because loading takes 250 ms. */
export function azureCredential({
  tenantId,
  clientId,
  clientSecret,
  authority,
  httpClient,
  isUsers = false,
}: AzureSignIn): TokenCredential {
  let real: Promise<TokenCredential> | undefined
  const load = async () => {
    const { ClientSecretCredential } = await import('@azure/identity')
    return new ClientSecretCredential(tenantId, clientId, clientSecret, {
      ...(authority === undefined ? {} : { authorityHost: authority }),
      ...(httpClient === undefined ? {} : { httpClient }),
      retryOptions: { maxRetries: 1 },
    })
  }
  const host = new URL(authority ?? 'https://login.microsoftonline.com').host
  return {
    async getToken(scopes, options) {
      try {
        return await (await (real ??= load())).getToken(scopes, options)
      } catch (error) {
        throw isUnanswered(error) ? new SignInUnreachable(host, error) : (refusedSignIn(error, isUsers) ?? error)
      }
    },
  }
}

export class SignInUnreachable extends Error {
  override readonly name = 'SignInUnreachable'

  constructor(host: string, cause: unknown) {
    super(`The portal could not sign in: ${host} cannot be reached.`, { cause })
  }
}

/** Entra refused to sign in the app registration. The message is a sentence for users. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused'
}

/** Returns a sentence for a code of the table, otherwise null. Entra's own text is not shown: it contains IDs and times. */
function refusedSignIn(error: unknown, isUsers: boolean): SignInRefused | null {
  const code = error instanceof Error ? Number(/\bAADSTS(\d+)\b/.exec(error.message)?.[1]) : Number.NaN
  const row = SIGN_INS.find((each) => each.code === code)
  if (row === undefined) return null
  return new SignInRefused(signInSentence(row, isUsers), { cause: error })
}

/** @azure/identity converts network errors of MSAL to a text like that of a wrong secret. */
const isUnanswered = (error: unknown): boolean => error instanceof Error && /^network_error\b/.test(error.message)

/** Returns a credential for the emulator, which accepts any token. The sign-in library requires https. */
export function emulatorCredential(): TokenCredential {
  return { getToken: async () => ({ token: 'emulator', expiresOnTimestamp: Date.now() + 3_600_000 }) }
}
