/** The remote-access protocol of each operating system, and its port. */
export const REMOTE_PROTOCOLS = {
  Linux: { protocol: 'SSH', port: 22 },
  Windows: { protocol: 'RDP', port: 3389 },
} as const

/** Checks whether machines accept remote connections. */
export interface AccessProbe {
  /**
   * Returns true if the machine at a public address answers with the greeting of its operating system's remote-access
   * protocol. No secret is sent, and the response is not acted on.
   */
  responds(address: string, os: keyof typeof REMOTE_PROTOCOLS, signal: AbortSignal): Promise<boolean>
}
