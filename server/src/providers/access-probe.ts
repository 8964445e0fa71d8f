export const REMOTE_PROTOCOLS = {
  Linux: { protocol: 'SSH', port: 22 },
  Windows: { protocol: 'RDP', port: 3389 },
} as const

export interface AccessProbe {
  /** Sends no secret and does not act on the response. */
  responds(address: string, os: keyof typeof REMOTE_PROTOCOLS, signal: AbortSignal): Promise<boolean>
}
