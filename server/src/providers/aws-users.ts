/**
 * The AWS calls that the portal makes for its lab users. The domain depends on this port only. Failures are
 * `CloudError`s of `errors.ts`. Every call is idempotent: repeated with the same input, it finds what it created
 * before.
 */
export interface AwsUsers {
  /**
   * Creates the user, or finds it and completes it. The limits and the expiry policy are set first and the password
   * last, so that the user can never sign in without an expiry.
   */
  create(user: NewAwsUser, signal: AbortSignal): Promise<CreatedAwsUser>
  /** Restores the user's limits and expiry where they were changed. Leaves the password unchanged. */
  secure(user: AwsUserRef & AwsUserExpiry, signal: AbortSignal): Promise<void>
  getState(at: AwsUserRef & AwsUserExpiry, signal: AbortSignal): Promise<AwsUserState>
  /** Deletes the password, disables the keys and denies every action, each even if another step fails. */
  block(at: AwsUserRef, signal: AbortSignal): Promise<void>
  /**
   * Deletes everything attached to the user, then the user. Call again until the result is 'nothing'. A user without
   * our tag counts as nothing and is left unchanged.
   */
  remove(at: AwsUserRef, signal: AbortSignal): Promise<'nothing' | 'something'>
  /** Returns the names of all users under our path in the shared account. */
  list(signal: AbortSignal): Promise<string[]>
  /** Moves a leased account to the clean-up unit after its user was deleted. */
  retire(account: string, signal: AbortSignal): Promise<void>
  /**
   * Returns the state of a retired account: `away` (in another unit), `clean` (back in the lab unit), or `used` (back,
   * but our users still exist in it).
   */
  getAccountState(account: string, signal: AbortSignal): Promise<'away' | 'clean' | 'used'>
}

export interface AwsUserRef {
  /** Our id, the value of the tag `trainyard-user`. */
  readonly id: string
  readonly username: string
  /** The leased account; null: the portal's own account, which all users share. */
  readonly account: string | null
}

export interface AwsUserExpiry {
  /** AWS denies every action from this instant, even if the portal is down. */
  readonly until: Date
}

export interface NewAwsUser extends AwsUserRef, AwsUserExpiry {
  /** The user must change it at the first sign-in. */
  readonly password: string
}

interface CreatedAwsUser {
  readonly account: string
}

/** `foreign`: a user of this name without our tag. `secured`: its limits and its expiry are in force. */
export type AwsUserState =
  | { readonly state: 'absent' | 'foreign' }
  | { readonly state: 'existing'; readonly secured: boolean }

/** Read-only AWS queries that check whether lab users can be created. Throws only `CloudError`. */
export interface AwsDiagnosis {
  /** Returns the owner of the portal's access key and the time of AWS (whole seconds). */
  identity(signal: AbortSignal): Promise<{ readonly account: string; readonly arn: string; readonly at: Date }>
  /**
   * Returns those of the actions that AWS's policy simulation denies to the portal's key (`account` null) or to the
   * role that the portal assumes in a leased account.
   */
  denied(
    account: string | null,
    actions: readonly string[],
    resource: string,
    signal: AbortSignal,
  ): Promise<readonly string[]>
  hasPolicy(arn: string, signal: AbortSignal): Promise<boolean>
  /** Returns the ids of the accounts in an organizational unit; null if the unit does not exist. */
  accountsIn(unit: string, signal: AbortSignal): Promise<readonly string[] | null>
}
