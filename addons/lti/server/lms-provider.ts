/**
 * Connections to learning management systems that launch into the portal by LTI 1.3. Every call throws only `LmsError`.
 */
export interface Lms {
  /** Returns the reason why an address is not allowed, without any network request; null: allowed. */
  addressRefusal(address: string): string | null
  /** Returns the claims of an ID token whose signature, issuer, audience and lifetime are valid. */
  verifyIdToken(platform: LmsTrust, token: string): Promise<LtiClaims>
  /** Returns the number of keys in a platform's key set. */
  countKeys(platform: LmsTrust): Promise<number>
  /** Requests an access token for scopes of LTI services, to check that the LMS accepts the portal's key. */
  checkToken(client: LmsClient): Promise<void>
  /** Returns the members of a course as the LMS sends them, from all pages. Stops at the deadline. */
  members(client: LmsClient, membershipsUrl: string, deadline: AbortSignal): Promise<readonly LtiClaims[]>
  /** Writes a learner's score to a column of the gradebook (Assignment and Grade Services 2.0). */
  sendScore(client: LmsClient, lineItemUrl: string, score: Score): Promise<void>
  /** Returns the signed answer to a request to choose content for a course (LTI Deep Linking 2.0). */
  signContent(platform: LmsTrust, key: SigningKey, content: ChosenContent): Promise<string>
  /** Returns the origin at which an LMS registers tools, according to its OpenID configuration. */
  registrationOrigin(configuration: string): Promise<string>
  /** Registers the portal at an LMS, and returns the settings of the LMS. */
  register(request: RegistrationRequest): Promise<RegisteredPlatform>
}

/** Settings with which ID tokens are verified. */
export interface LmsTrust {
  readonly issuer: string
  readonly clientId: string
  readonly keySetUrl: string
}

/** Settings with which the portal authenticates itself at the LMS. */
export interface LmsClient extends LmsTrust {
  readonly tokenUrl: string
  /** Audience of token requests; null: the token address. */
  readonly tokenAudience: string | null
  readonly key: SigningKey
  /** Address of the portal's key set, for messages to administrators. */
  readonly ownKeySetUrl: string
}

export interface SigningKey {
  readonly id: string
  /** Private key as PEM of PKCS #8. */
  readonly privateKey: string
}

export type LtiClaims = Readonly<Record<string, unknown>>

export interface Score {
  readonly subject: string
  /** Time of the score, which must be later than the time of the learner's previous score. */
  readonly at: Date
  readonly given: number
  readonly maximum: number
  readonly comment: string
}

export interface ChosenContent {
  readonly deployment: string
  /** Data that the LMS sent; null: none. */
  readonly data: string | null
  readonly item: { readonly title: string; readonly url: string; readonly custom: Readonly<Record<string, string>> }
}

export interface RegistrationRequest {
  /** Address of the LMS's OpenID configuration. */
  readonly configuration: string
  readonly token: string | null
  readonly addresses: ToolAddresses
}

export interface ToolAddresses {
  readonly login: string
  readonly redirect: string
  readonly keySet: string
  readonly target: string
}

export interface RegisteredPlatform {
  readonly issuer: string
  readonly clientId: string
  readonly authorizationUrl: string
  readonly tokenUrl: string
  readonly tokenAudience: string | null
  readonly keySetUrl: string
  /** Origin at which the LMS registers tools and shows its pages. A hosted LMS has one for each school. */
  readonly frameOrigin: string
  /** Deployment; null if the LMS only sends the deployment with the first launch. */
  readonly deployment: string | null
  /** Product name that the LMS states, for example `moodle`; null: unknown. */
  readonly product: string | null
}

/** Error of an LMS. The message is for users. `invalid`: the answer or the token of the LMS cannot be trusted. */
export class LmsError extends Error {
  override readonly name = 'LmsError'
  readonly kind: 'unreachable' | 'refused' | 'invalid'

  constructor(kind: LmsError['kind'], message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
  }
}
