/**
 * The calls that the portal makes on an organisation's own OpenID provider. One adapter implements it, for every
 * provider there is; the domain knows only this page. Every call throws `OpenIdError` alone.
 */
export interface OpenId {
  /** Says why an issuer can't be one, without asking anybody; null: it may be. */
  refusalOf(issuer: string): string | null
  /** The address at which a browser signs in. */
  addressOf(client: OpenIdClient, attempt: Attempt, hint: SignInHint): Promise<string>
  /** Looks at the provider's description and at its keys. Answers sentences that say what was found. */
  look(client: OpenIdClient): Promise<readonly string[]>
  /**
   * Exchanges the code that came back for an ID token, and checks that.
   * @param answer the query of the address that the provider sent the browser back to
   */
  claimsOf(client: OpenIdClient, attempt: Attempt, answer: string): Promise<Claims>
  /** The address at which a browser ends its session at the provider; null: the provider has none. */
  signOutAddress(client: OpenIdClient, backTo: string): Promise<string | null>
}

/** The portal as a provider knows it. */
export interface OpenIdClient {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

/** The secrets of one attempt to sign in: its answer must belong to all of them. */
export interface Attempt {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** Where the provider sends the browser back to. */
  readonly redirectUri: string
}

export interface SignInHint {
  /** null: whoever the provider knows. */
  readonly email: string | null
  /** True where the portal wants to know of groups. */
  readonly groups: boolean
}

/** The claims of an ID token that was found genuine, in time, and meant for this attempt. */
export type Claims = Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string }

/**
 * A sign-in that did not come to its end; the message is a sentence for people. `unreachable`: the provider does not
 * answer; `refused`: it says no; `untrue`: what it says can't be believed.
 */
export class OpenIdError extends Error {
  override readonly name = 'OpenIdError'
  readonly kind: 'unreachable' | 'refused' | 'untrue'

  constructor(kind: OpenIdError['kind'], message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
  }
}
