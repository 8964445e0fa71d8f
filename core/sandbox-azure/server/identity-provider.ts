/** Port to a directory of users. Every call is idempotent. Failures are `CloudError`s, as for the cloud. */
export interface Identity {
  /**
   * Creates a user, or finds an existing one with our mark by the sign-in name. A user without our mark is refused and
   * not changed.
   */
  createUser(user: DirectoryUser, signal: AbortSignal): Promise<{ readonly objectId: string }>
  /** Finds a user by the provider's id if known, and by the sign-in name with our mark. */
  getUser(user: KnownUser, signal: AbortSignal): Promise<DirectoryUserState>
  /** Blocks new sign-ins and ends existing sessions. A missing user is not an error. */
  blockUser(objectId: string, signal: AbortSignal): Promise<void>
  /**
   * Issues a Temporary Access Pass for one sign-in, which replaces an earlier one. Returns null if the user is missing.
   * After a lost reply a second call issues another pass.
   */
  createAccessPass(objectId: string, signal: AbortSignal): Promise<AccessPass | null>
  /** Deletes the user, then its restorable copy. A missing user is not an error. */
  deleteUser(objectId: string, signal: AbortSignal): Promise<void>
}

export interface DirectoryUser {
  readonly id: string
  readonly signInName: string
  readonly displayName: string
  readonly personalEmail: string
  /** Password that the user must change at the first sign-in. */
  readonly firstPassword: string
}

export interface AccessPass {
  readonly pass: string
  readonly endsAt: Date
}

export interface KnownUser {
  readonly id: string
  readonly signInName: string
  readonly objectId: string | null
}

/** `deleted`: the user cannot sign in but can still be restored. */
export type DirectoryUserState =
  | { readonly state: 'absent' }
  | { readonly state: 'deleted'; readonly objectId: string }
  | { readonly state: 'existing'; readonly objectId: string; readonly enabled: boolean }

export interface DirectoryDiagnosis {
  verifiedDomains(signal: AbortSignal): Promise<readonly VerifiedDomain[]>
  /** Secrets and certificates of the app registration. */
  credentials(clientId: string, signal: AbortSignal): Promise<readonly AppCredential[]>
  granted(clientId: string, signal: AbortSignal): Promise<readonly string[]>
}

interface VerifiedDomain {
  readonly name: string
  /** True if another identity provider signs in the users of this domain. */
  readonly federated: boolean
}

export interface AppCredential {
  readonly kind: 'secret' | 'certificate'
  readonly name: string
  /** First characters of a secret; null for a certificate. */
  readonly hint: string | null
  readonly endsAt: Date
}

/** A secret or certificate with which the portal signs in. */
export interface ExpiringCredential {
  readonly what: string
  readonly endsAt: Date
}
