export type CallKind = 'read' | 'write' | 'delete'

export interface RateLimiter {
  /**
   * Returns 0 and counts the request, or returns the seconds to wait.
   * @param machine null if not limited per machine
   */
  acquire(kind: CallKind, machine: string | null): Promise<number>
  /** Blocks requests of this kind for some seconds, after the provider asked for a pause. */
  pause(kind: CallKind, seconds: number): Promise<void>
}
