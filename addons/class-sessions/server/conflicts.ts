import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { classSession } from '../contract/class-session.ts'
import { CLASS_SESSION_CONFLICTS, type ClassSessionConflictKind } from '../contract/class-session-words.ts'
import type { ClassSessionId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { secondsUsed } from '@trainyard/usage/server/used.ts'
import { windowOf } from '@trainyard/trainings/server/window.ts'
import { currentWindow, limitingHours, windowText } from './access.ts'
import { enclosingWindow } from './enclosing-window.ts'
import type { Occurrence, Upcoming } from './occurrences.ts'
import { selectOverlappingDates, selectOpposingDates, selectMachinesWithQuota } from './queries.ts'

type Conflict = ReplyOf<typeof classSession.preview>['conflicts'][number]

/** @param replaced existing sessions that the planned sessions replace */
export async function sessionConflicts(
  db: Db,
  training: TrainingId,
  upcoming: Upcoming,
  { limitsAccess, replaced }: { readonly limitsAccess: boolean; readonly replaced: readonly ClassSessionId[] },
): Promise<Conflict[]> {
  const { sessions } = upcoming
  const found: Conflict[] = []
  const add = (kind: ClassSessionConflictKind, sentence: string, blocks = false) =>
    found.push({ kind, blocks, sentence })
  const overlapping = new Set([...touchingEachOther(sessions), ...(await overlapsOf(db, training, upcoming, replaced))])
  const [overlap] = [...overlapping].toSorted()
  if (overlap !== undefined)
    add('overlap', CLASS_SESSION_CONFLICTS.overlap(overlapping.size, formatDate(overlap)), true)
  const opposite = await oppositesOf(db, training, sessions, replaced)
  if (opposite.length > 0)
    add('opposite', CLASS_SESSION_CONFLICTS.opposite(opposite.length, formatDate(opposite[0]!)), true)
  const first = sessions[0]
  if (
    first !== undefined &&
    upcoming.machines > 0 &&
    first.startsAt > upcoming.now &&
    first.startsAt.getTime() - upcoming.leadSeconds * 1000 <= upcoming.now.getTime()
  ) {
    add('soon', CLASS_SESSION_CONFLICTS.soon(Math.ceil(upcoming.leadSeconds / 60)))
  }
  if (upcoming.skippedByClocks.length > 0)
    add('clocks', CLASS_SESSION_CONFLICTS.clocks(upcoming.skippedByClocks.length))
  const window = await windowChange(db, training, limitsAccess ? sessions : [], replaced)
  if (window !== null) add('window', window)
  const short = await machinesWithoutHours(db, training, secondsOf(sessions))
  if (short > 0) add('hours', CLASS_SESSION_CONFLICTS.hours(short, formatHours(secondsOf(sessions))))
  const { ends_on } = await db
    .selectFrom('training')
    .select('ends_on')
    .where('id', '=', training)
    .executeTakeFirstOrThrow()
  const after = ends_on === null ? 0 : sessions.filter(({ date }) => date > ends_on).length
  if (after > 0) add('end', CLASS_SESSION_CONFLICTS.end(after, formatDate(ends_on!)))
  return found
}

/**
 * Returns the dates of sessions that start before the previous session has ended, or in the minute of its end. The
 * machines would otherwise be shut down and started in the same minute.
 */
const touchingEachOther = (sessions: readonly Occurrence[]): string[] =>
  sessions
    .filter((session, index) => index > 0 && session.startsAt <= sessions[index - 1]!.stopsAt)
    .map(({ date }) => date)

async function overlapsOf(
  db: Db,
  training: TrainingId,
  { sessions }: Upcoming,
  replaced: readonly ClassSessionId[],
): Promise<readonly string[]> {
  const { rows } = await selectOverlappingDates(db, sessions, training, replaced)
  return rows.map(({ date }) => date)
}

async function oppositesOf(
  db: Db,
  training: TrainingId,
  sessions: readonly Occurrence[],
  replaced: readonly ClassSessionId[],
): Promise<readonly string[]> {
  const { rows } = await selectOpposingDates(db, training, replaced, sessions)
  return rows.map(({ date }) => date)
}

async function windowChange(
  db: Db,
  training: TrainingId,
  added: readonly Occurrence[],
  replaced: readonly ClassSessionId[],
): Promise<string | null> {
  const before = windowText(enclosingWindow(await limitingHours(db, training)))
  const after = windowText(enclosingWindow([...(await limitingHours(db, training, replaced)), ...added]))
  const current = windowText(currentWindow(await windowOf(db, training)))
  return before === after || current === after ? null : CLASS_SESSION_CONFLICTS.window(current, after)
}

async function machinesWithoutHours(db: Db, training: TrainingId, seconds: number): Promise<number> {
  const { rows } = await selectMachinesWithQuota(db, training)
  const used = await secondsUsed(
    db,
    rows.map(({ id }) => id),
  )
  return rows.filter(({ id, allotted_minutes }) => allotted_minutes * 60 - (used.get(id) ?? 0) < seconds).length
}

const secondsOf = (sessions: readonly Occurrence[]): number =>
  sessions.reduce((sum, { startsAt, stopsAt }) => sum + (stopsAt.getTime() - startsAt.getTime()) / 1000, 0)

const formatHours = (seconds: number): string => String(Math.round(seconds / 360) / 10)
const formatDate = (date: string): string => date.split('-').toReversed().join('/')
