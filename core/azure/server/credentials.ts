import { access, constants } from 'node:fs/promises'
import type { HttpClient, PipelineRequest } from '@azure/core-rest-pipeline'
import type { TokenCredential } from '@azure/identity'
import { SIGN_INS, signInSentence } from './outcome-table.ts'

/** Proof of an application's identity: one of the four that @azure/identity supports without a user. */
export type Proof =
  | { readonly kind: 'secret'; readonly secret: string }
  /** PEM file with the certificate and its private key. */
  | { readonly kind: 'certificate'; readonly path: string; readonly password: string | null }
  /** File with a token of another identity provider, such as Kubernetes, which renews the token. */
  | { readonly kind: 'federated'; readonly tokenFile: string }
  /** Identity that Azure assigned to the host, or a user-assigned one, whose ID is the client ID. */
  | { readonly kind: 'managed'; readonly assigned: 'system' | 'user' }

export interface AzureSignIn {
  readonly tenantId: string
  readonly clientId: string
  readonly proof: Proof
  readonly authority?: string
  readonly httpClient?: HttpClient
  /** True for an app registration that a user entered. Default: the portal's own. */
  readonly isUsers?: boolean
}

/**
 * Signs in as an app registration or a managed identity. The library is imported on first use, because this takes 250
 * ms.
 */
export function azureCredential(signIn: AzureSignIn): TokenCredential {
  let real: Promise<TokenCredential> | undefined
  return {
    async getToken(scopes, options) {
      await requireReadable(signIn.proof)
      try {
        return await (await (real ??= load(signIn))).getToken(scopes, options)
      } catch (error) {
        throw describedFailure(signIn, error) ?? error
      }
    },
  }
}

async function load({ tenantId, clientId, proof, authority, httpClient }: AzureSignIn): Promise<TokenCredential> {
  const identity = await import('@azure/identity')
  const options = {
    ...(authority === undefined ? {} : { authorityHost: authority }),
    ...(httpClient === undefined ? {} : { httpClient }),
    retryOptions: { maxRetries: 1 },
  }
  switch (proof.kind) {
    case 'secret':
      return new identity.ClientSecretCredential(tenantId, clientId, proof.secret, options)
    case 'certificate': {
      const { path: certificatePath, password } = proof
      const file = { certificatePath, ...(password === null ? {} : { certificatePassword: password }) }
      return new identity.ClientCertificateCredential(tenantId, clientId, file, options)
    }
    case 'federated':
      return new identity.WorkloadIdentityCredential({ tenantId, clientId, tokenFilePath: proof.tokenFile, ...options })
    case 'managed': {
      const { createDefaultHttpClient } = await import('@azure/core-rest-pipeline')
      const direct = withoutProxy(httpClient ?? createDefaultHttpClient())
      const provided = { ...options, httpClient: direct }
      return new identity.ManagedIdentityCredential(proof.assigned === 'user' ? { clientId, ...provided } : provided)
    }
  }
}

/** The metadata service of a host has a link-local address, which a proxy cannot reach. */
const withoutProxy = (client: HttpClient): HttpClient => ({
  sendRequest(request: PipelineRequest) {
    if (request.url.startsWith('http:')) delete request.agent
    return client.sendRequest(request)
  },
})

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

const COULD_NOT = 'The portal could not sign in to Entra:'

/** @throws SignInRefused if the file of the certificate or the token cannot be read */
async function requireReadable(proof: Proof): Promise<void> {
  const [name, path] =
    proof.kind === 'certificate'
      ? ['AZURE_CLIENT_CERTIFICATE_PATH', proof.path]
      : proof.kind === 'federated'
        ? ['AZURE_FEDERATED_TOKEN_FILE', proof.tokenFile]
        : [null, null]
  if (path === null) return
  await access(path, constants.R_OK).catch((cause: unknown) => {
    throw new SignInRefused(`${COULD_NOT} the file ${path} cannot be read. Check ${name} and the file's permissions.`, {
      cause,
    })
  })
}

/**
 * Returns an error with a sentence for users; null if it is unknown. Entra's own text is not shown, because it contains
 * IDs and times.
 */
function describedFailure({ proof, clientId, authority, isUsers }: AzureSignIn, error: unknown): Error | null {
  if (!(error instanceof Error)) return null
  const { message } = error
  const refused = (sentence: string) => new SignInRefused(sentence, { cause: error })
  if (proof.kind === 'managed') {
    if (/network_error|Network unreachable/.test(message)) {
      return new SignInUnreachable('the metadata service of this host (169.254.169.254)', error)
    }
    const which = proof.assigned === 'user' ? `no managed identity ${clientId}` : 'no system-assigned managed identity'
    return refused(
      `${COULD_NOT} this host has ${which}. Assign it to the host, or check AZURE_MANAGED_IDENTITY and AZURE_CLIENT_ID.`,
    )
  }
  // @azure/identity converts network errors of MSAL to a text that resembles the message for a wrong secret.
  if (/^network_error\b/.test(message)) {
    return new SignInUnreachable(new URL(authority ?? 'https://login.microsoftonline.com').host, error)
  }
  const code = /\bAADSTS(\d+)\b/.exec(message)?.[1]
  const row = SIGN_INS.find((each) => each.codes.includes(Number(code)))
  if (row !== undefined) return refused(signInSentence(row, { code: Number(code), isUsers: isUsers === true }))
  if (code !== undefined) return null
  if (proof.kind === 'certificate') {
    return refused(
      `${COULD_NOT} ${proof.path} cannot be used. It must contain a certificate and its RSA private key as PEM. Check AZURE_CLIENT_CERTIFICATE_PATH and AZURE_CLIENT_CERTIFICATE_PASSWORD.`,
    )
  }
  return proof.kind === 'federated'
    ? refused(`${COULD_NOT} ${proof.tokenFile} contains no token. Check AZURE_FEDERATED_TOKEN_FILE.`)
    : null
}

/**
 * Returns a credential for the emulator, because the library requires https. The emulator checks the audience of tokens
 * for mail only.
 */
export function emulatorCredential(): TokenCredential {
  return {
    async getToken(scopes) {
      const expiresOnTimestamp = Date.now() + 3_600_000
      const aud = [scopes].flat()[0]?.replace(/\/\.default$/, '')
      const claims = Buffer.from(JSON.stringify({ aud, exp: expiresOnTimestamp / 1000 })).toString('base64url')
      return { token: `emulator.${claims}.emulator`, expiresOnTimestamp }
    },
  }
}
