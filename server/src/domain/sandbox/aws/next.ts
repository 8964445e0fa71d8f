/** The part of a lab user's row that decides what the reconciler does with it. */
export interface AwsUserState {
  readonly desired: 'ready' | 'gone'
  readonly create_sent_at: Date | null
  readonly ready_at: Date | null
  readonly blocked_at: Date | null
}

export type NextForAwsUser = 'create' | 'look' | 'block' | 'remove' | 'end'

/** What to do with a lab user now: blocked before anything is deleted, deleted until nothing is found. */
export function nextForAwsUser({ desired, create_sent_at, ready_at, blocked_at }: AwsUserState): NextForAwsUser {
  if (desired === 'ready') return ready_at === null ? 'create' : 'look'
  // What was never asked for is not there.
  if (create_sent_at === null) return 'end'
  return blocked_at === null ? 'block' : 'remove'
}
