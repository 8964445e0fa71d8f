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
