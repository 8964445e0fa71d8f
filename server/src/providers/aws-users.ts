/**
 * The calls that the portal makes on AWS for its lab users; the domain knows only this page. A failure is a
 * CloudError of `cloud.ts`. Every call may be made again with the same input and then finds what it made before.
 */
export interface AwsUsers {
  /**
   * Makes the user, or finds it and adds what is missing: first its limits and the date from which it may do nothing,
   * the password last, so that there is never a way in without an end.
   */
  create(user: NewAwsUser, signal: AbortSignal): Promise<AwsHome>
  /** Puts a user's limits and end back where they are not as they were made. Its password is left alone. */
  secure(user: AwsUserPlace & AwsUserTerm, signal: AbortSignal): Promise<void>
  look(at: AwsUserPlace & AwsUserTerm, signal: AbortSignal): Promise<AwsUserSeen>
  /** Takes every way in away, each by itself, so that one call that fails spares none of the others. */
  block(at: AwsUserPlace, signal: AbortSignal): Promise<void>
  /**
   * Deletes what hangs on the user and the user itself; says whether anything was there. Called again until nothing
   * is. What is not ours counts as nothing, and is left alone.
   */
  remove(at: AwsUserPlace, signal: AbortSignal): Promise<'nothing' | 'something'>
  /** The names of all users under our path in the shared account. */
  list(signal: AbortSignal): Promise<string[]>
  /** Hands a leased account, its user gone, to whoever cleans it. */
  retire(account: string, signal: AbortSignal): Promise<void>
  /**
   * Returns the state of a retired account: `away`, or brought back `clean`, or with users of ours in it still
   * (`used`).
   */
  lookAtAccount(account: string, signal: AbortSignal): Promise<'away' | 'clean' | 'used'>
}

/** Where a lab user stands. */
export interface AwsUserPlace {
  /** Our id: written into the tag `trainyard-user`. */
  readonly id: string
  readonly username: string
  /** The leased account; null: the one that all share, the portal's own. */
  readonly account: string | null
}

export interface AwsUserTerm {
  /** From then on everything is denied, whether the portal is up or not. */
  readonly until: Date
}

export interface NewAwsUser extends AwsUserPlace, AwsUserTerm {
  /** To be changed at the first sign-in. */
  readonly password: string
}

export interface AwsHome {
  /** The account that the user signs in to. */
  readonly account: string
}

/** `foreign`: there is a user of that name, and it is not this one. `secured`: its limits and its end are in force. */
export type AwsUserSeen =
  | { readonly state: 'absent' | 'foreign' }
  | { readonly state: 'existing'; readonly secured: boolean }

/** Questions to AWS whose answers tell beforehand if lab users can be made there. Throws `CloudError` alone. */
export interface AwsDiagnosis {
  /** Returns the owner of the portal's key, and AWS's clock (whole seconds). */
  identity(signal: AbortSignal): Promise<{ readonly account: string; readonly arn: string; readonly at: Date }>
  /**
   * Those of the actions that AWS, which simulates it, would not allow: to the portal's key (`account` null), or to
   * the role that lets it into a leased account.
   */
  denied(
    account: string | null,
    actions: readonly string[],
    /** The ARN that the actions are simulated on. */
    resource: string,
    signal: AbortSignal,
  ): Promise<readonly string[]>
  /** Returns true when there is a managed policy of that name. */
  hasPolicy(arn: string, signal: AbortSignal): Promise<boolean>
  /** The numbers of the accounts in an organizational unit; null: there is no such unit. */
  accountsIn(unit: string, signal: AbortSignal): Promise<readonly string[] | null>
}
