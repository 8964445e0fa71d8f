export type CallKind = 'read' | 'write' | 'delete'

/** A rate limiter for a provider's requests, shared by all processes. */
export interface RateLimiter {
  /**
   * Returns 0 if the request may be sent now, and counts it. Otherwise returns the seconds to wait, and does not count
   * it.
   * @param machine the machine that the request changes, if the provider also limits requests per machine; else null
   */
  acquire(kind: CallKind, machine: string | null): Promise<number>
  /** Blocks requests of this kind for some seconds, after the provider asked for a pause. */
  pause(kind: CallKind, seconds: number): Promise<void>
}
