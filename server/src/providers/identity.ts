/**
 * The calls that the portal makes on the directory that lab users sign in with. Every call is idempotent: repeated with
 * the same input, it finds the earlier result. Failures are `CloudError`s, as for the cloud.
 */
export interface Identity {
  /**
   * Creates the user, or finds the user created earlier, by the sign-in name and our mark. A user of that name without
   * our mark is refused and left unchanged.
   */
  createUser(user: DirectoryUser, signal: AbortSignal): Promise<{ readonly objectId: string }>
  /** Finds a user by the provider's id if known, and by the sign-in name with our mark. */
  getUser(user: KnownUser, signal: AbortSignal): Promise<DirectoryUserState>
  /** Blocks new sign-ins and ends existing sessions. A missing user is not an error. */
  blockUser(objectId: string, signal: AbortSignal): Promise<void>
  /** Deletes the user, then its restorable copy. A missing user is not an error. */
  deleteUser(objectId: string, signal: AbortSignal): Promise<void>
}

export interface DirectoryUser {
  /** Our id, stored as the mark that identifies the user. */
  readonly id: string
  readonly signInName: string
  readonly displayName: string
  readonly personalEmail: string
  /** The user must change it at the first sign-in. */
  readonly firstPassword: string
}

export interface KnownUser {
  readonly id: string
  readonly signInName: string
  /** The provider's id, if known. */
  readonly objectId: string | null
}

/** `deleted`: the user cannot sign in but can still be restored. */
export type DirectoryUserState =
  | { readonly state: 'absent' }
  | { readonly state: 'deleted'; readonly objectId: string }
  | { readonly state: 'existing'; readonly objectId: string; readonly enabled: boolean }

/** Read-only queries to a directory that check whether lab users can be created in it. Throws only `CloudError`. */
export interface DirectoryDiagnosis {
  /** Returns the directory's verified domains, in lower case. */
  verifiedDomains(signal: AbortSignal): Promise<readonly string[]>
  /** Returns the application permissions granted to an app, by name, such as `User.ReadWrite.All`. */
  granted(clientId: string, signal: AbortSignal): Promise<readonly string[]>
}
