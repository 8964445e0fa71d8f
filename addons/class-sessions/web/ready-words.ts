import type { ReadyBy } from '../contract/ready.ts'
import { timeOfDay } from '@trainyard/platform/web/ui/time.ts'

export function readyWords({ state, ready, total, startsAt }: ReadyBy, timeZone: string): string {
  if (state === 'started') return `${ready} of ${total} ready`
  if (state === 'missed') return 'missed: the portal could not act in time'
  return `${total} to start at about ${timeOfDay(new Date(startsAt), timeZone)}`
}

/** Removes the waiting ready times of sessions, except the next one. */
export function withoutLaterClassSessions(readyBy: readonly ReadyBy[]): readonly ReadyBy[] {
  const isImplied = ({ state, ofSession }: ReadyBy) => state === 'waiting' && ofSession
  const next = readyBy
    .filter(isImplied)
    .reduce<string | null>((first, { readyAt }) => (first === null || readyAt < first ? readyAt : first), null)
  return readyBy.filter((one) => !isImplied(one) || one.readyAt === next)
}
