import type { TokenCredential } from '@azure/identity'

export interface AzureSignIn {
  readonly tenantId: string
  readonly clientId: string
  readonly clientSecret: string
  /** Address of the sign-in service; the public cloud's when left out. */
  readonly authority?: string
}

/** Signs in as an app registration. The sign-in library is loaded when first needed: it takes a quarter of a second. */
export function azureCredential({ tenantId, clientId, clientSecret, authority }: AzureSignIn): TokenCredential {
  let real: Promise<TokenCredential> | undefined
  const load = async () => {
    const { ClientSecretCredential } = await import('@azure/identity')
    return new ClientSecretCredential(tenantId, clientId, clientSecret, {
      ...(authority === undefined ? {} : { authorityHost: authority }),
      retryOptions: { maxRetries: 1 },
    })
  }
  const host = new URL(authority ?? 'https://login.microsoftonline.com').host
  return {
    async getToken(scopes, options) {
      try {
        return await (await (real ??= load())).getToken(scopes, options)
      } catch (error) {
        throw isUnanswered(error) ? new SignInUnreachable(host, error) : error
      }
    },
  }
}

/** Nobody answered where the portal signs in: its credentials have not been looked at. */
export class SignInUnreachable extends Error {
  override readonly name = 'SignInUnreachable'

  constructor(host: string, cause: unknown) {
    super(`The portal could not sign in: ${host} can not be reached.`, { cause })
  }
}

/** The sign-in library (MSAL) says so by its own code, which @azure/identity turns into a text like those of a wrong secret. */
const isUnanswered = (error: unknown): boolean => error instanceof Error && /^network_error\b/.test(error.message)

/** For an emulator, which takes any token: the sign-in library signs in over https alone. */
export function emulatorCredential(): TokenCredential {
  return { getToken: async () => ({ token: 'emulator', expiresOnTimestamp: Date.now() + 3_600_000 }) }
}
