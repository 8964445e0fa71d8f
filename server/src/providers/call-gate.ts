/** The kinds of requests to a provider: each has a limit of its own. */
export type CallKind = 'read' | 'write' | 'delete'

/**
 * Asked before each request to a provider that limits how fast it is asked, and told of each answer. It holds for all
 * processes together.
 */
export interface CallGate {
  /**
   * Seconds until the request may be sent; 0: now, and then it is counted. One that must wait is not counted.
   * @param machine the machine that the request changes, where the provider limits each by itself; null: none
   */
  pass(kind: CallKind, machine: string | null): Promise<number>
  /** The provider asked for a pause: no request of this kind passes before it is over. */
  close(kind: CallKind, seconds: number): Promise<void>
}
