/**
 * The calls that the portal makes on a directory that lab users sign in with. Every call may be made again with the
 * same input and then finds what it did before. Failures are `CloudError`s, as those of the cloud.
 */
export interface Identity {
  /**
   * Makes the user, or finds the one made before: by the sign-in name, with our mark on it. Somebody else's of that
   * name is refused and left alone.
   */
  makeUser(user: DirectoryUser, signal: AbortSignal): Promise<{ readonly objectId: string }>
  /** Looks for a user: by the provider's id where it is known, and by the sign-in name with our mark. */
  lookAtUser(user: KnownUser, signal: AbortSignal): Promise<UserSighting>
  /** No new sign-in, and none that stands goes on. A user who is gone is no error. */
  blockUser(objectId: string, signal: AbortSignal): Promise<void>
  /** Deletes one step further, from where it can be restored too. A user who is gone is no error. */
  deleteUser(objectId: string, signal: AbortSignal): Promise<void>
}

export interface DirectoryUser {
  /** Our id: the mark by which the user is found again. */
  readonly id: string
  readonly signInName: string
  readonly displayName: string
  readonly personalEmail: string
  /** To be changed at the first sign-in. */
  readonly firstPassword: string
}

export interface KnownUser {
  readonly id: string
  readonly signInName: string
  /** The provider's id, once it was learnt. */
  readonly objectId: string | null
}

/** `deleted`: it can't sign in, and could still be restored. */
export type UserSighting =
  | { readonly state: 'absent' }
  | { readonly state: 'deleted'; readonly objectId: string }
  | { readonly state: 'existing'; readonly objectId: string; readonly enabled: boolean }

/** Questions to a directory whose answers tell beforehand if lab users can be made in it. Throws `CloudError` alone. */
export interface DirectoryDiagnosis {
  /** The domains that users of the directory can be named in, in lower case. */
  verifiedDomains(signal: AbortSignal): Promise<readonly string[]>
  /** The application permissions that an app was granted, by name: `User.ReadWrite.All`. */
  granted(clientId: string, signal: AbortSignal): Promise<readonly string[]>
}
