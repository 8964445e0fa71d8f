/** Questions to a directory whose answers tell beforehand if lab users can be made in it. Throws `CloudError` alone. */
export interface DirectoryDiagnosis {
  /** The domains that users of the directory can be named in, in lower case. */
  verifiedDomains(signal: AbortSignal): Promise<readonly string[]>
  /** The application permissions that an app was granted, by name: `User.ReadWrite.All`. */
  granted(clientId: string, signal: AbortSignal): Promise<readonly string[]>
}
