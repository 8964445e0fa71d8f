/** Sign-in through OpenID providers. Every call throws only `OpenIdError`. */
export interface OpenId {
  /** Returns the reason why an issuer URL is not allowed, without any network request; null: allowed. */
  issuerRefusal(issuer: string): string | null
  signInUrl(client: OpenIdClient, attempt: SignInAttempt, hint: SignInHint): Promise<string>
  checkProvider(client: OpenIdClient): Promise<readonly string[]>
  /** @param answer the query string with which the provider redirected the browser back */
  exchangeCode(client: OpenIdClient, attempt: SignInAttempt, answer: string): Promise<Claims>
  /** Returns the URL at which a browser ends its session at the provider; null: the provider has no such URL. */
  signOutUrl(client: OpenIdClient, backTo: string): Promise<string | null>
}

export interface OpenIdClient {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

/** Secrets of one sign-in attempt. The provider's response must match all of them. */
export interface SignInAttempt {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly redirectUri: string
}

interface SignInHint {
  readonly email: string | null
  readonly groups: boolean
}

/** The claims of an ID token whose signature, lifetime, audience and nonce were checked. */
export type Claims = Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string }

/** Error of a sign-in. The message is for users. `invalid`: the provider's response or metadata cannot be trusted. */
export class OpenIdError extends Error {
  override readonly name = 'OpenIdError'
  readonly kind: 'unreachable' | 'refused' | 'invalid'

  constructor(kind: OpenIdError['kind'], message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
  }
}
