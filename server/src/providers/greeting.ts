/** The remote-access protocol of each operating system, and its port. */
export const ENTRANCES = {
  Linux: { protocol: 'SSH', port: 22 },
  Windows: { protocol: 'RDP', port: 3389 },
} as const

/** Checks whether machines accept remote connections. */
export interface Greetings {
  /**
   * Returns true if the machine at a public address answers with the greeting of its operating system's remote-access
   * protocol. No secret is sent, and the response is not acted on.
   */
  answers(address: string, os: keyof typeof ENTRANCES, signal: AbortSignal): Promise<boolean>
}
