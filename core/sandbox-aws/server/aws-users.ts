/** Lab users at AWS. Failures are `CloudError`s of `errors.ts`. Every call is idempotent. */
export interface AwsUsers {
  /** Creates a user. Sets the password last, so that the user can never sign in without an expiry. */
  create(user: NewAwsUser, signal: AbortSignal): Promise<CreatedAwsUser>
  /** Restores the user's limits and expiry where they were changed. Leaves the password unchanged. */
  secure(user: AwsUserRef & AwsUserExpiry, signal: AbortSignal): Promise<void>
  getState(at: AwsUserRef & AwsUserExpiry, signal: AbortSignal): Promise<AwsUserState>
  /** Deletes the password, disables the keys and denies every action, each even if another step fails. */
  block(at: AwsUserRef, signal: AbortSignal): Promise<void>
  /**
   * Deletes a user step by step. Call again until the result is 'nothing', which is also the result for a user without
   * our tag. Such a user is not changed.
   */
  remove(at: AwsUserRef, signal: AbortSignal): Promise<'nothing' | 'something'>
  list(signal: AbortSignal): Promise<string[]>
  retire(account: string, signal: AbortSignal): Promise<void>
  /**
   * `away`: in another unit; `clean`: back in the lab unit; `used`: back in the lab unit, but users of the portal still
   * exist in it.
   */
  getAccountState(account: string, signal: AbortSignal): Promise<'away' | 'clean' | 'used'>
}

export interface AwsUserRef {
  /** ID of the user in the portal, which is the value of the tag `trainyard-user`. */
  readonly id: string
  readonly username: string
  readonly account: string | null
}

export interface AwsUserExpiry {
  readonly until: Date
}

export interface NewAwsUser extends AwsUserRef, AwsUserExpiry {
  readonly password: string
}

interface CreatedAwsUser {
  readonly account: string
}

/**
 * `foreign`: a user of this name without the portal's tag. `secured`: the limits and the expiry of the user are in
 * force.
 */
export type AwsUserState =
  | { readonly state: 'absent' | 'foreign' }
  | { readonly state: 'existing'; readonly secured: boolean }

/** Read-only AWS queries that check whether lab users can be created. Throws only `CloudError`. */
export interface AwsDiagnosis {
  identity(signal: AbortSignal): Promise<{ readonly account: string; readonly arn: string; readonly at: Date }>
  /** `account` null: the portal's key; otherwise the role that the portal assumes in a leased account. */
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
