import type { Announcement, Room, Seat } from '../contract/classroom.ts'
import { ACTIVITY_MINUTES } from '../contract/classroom-words.ts'
import type { MachineId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { viewOf } from '@trainyard/machines/server/view.ts'
import { windowOf } from '@trainyard/trainings/server/window.ts'
import { selectSeats, selectRoom, type SeatRow } from './queries.ts'

export async function seatsOf(db: Db, training: TrainingId, machineIds: readonly MachineId[] | null): Promise<Seat[]> {
  const { rows } = await selectSeats(db, machineIds, training)
  return rows.map((row) => ({
    machine: viewOf(row, null),
    connectedSince: iso(row.connectedSince),
    disconnectedSince: iso(row.disconnectedSince),
    runningSince: iso(row.runningSince),
    idleSince: iso(row.idleSince),
    cpu: row.cpuPercent === null ? null : { percent: Math.round(row.cpuPercent * 10) / 10, at: iso(row.cpuAt)! },
    handRaisedAt: iso(row.handRaisedAt),
    handReason: row.handReason,
    stopsAt: iso(row.stopsAt),
    activeMinutes: activeMinutesOf(row),
  }))
}

/** Converts the bits of minutes before the last activity to minutes before now. */
function activeMinutesOf({ activeMinutes, activeAgo }: Pick<SeatRow, 'activeMinutes' | 'activeAgo'>): number[] {
  if (activeMinutes === null || activeAgo === null) return []
  return Array.from({ length: ACTIVITY_MINUTES }, (_, minutes) => minutes).filter((minutes) => {
    const bit = minutes - Math.max(0, activeAgo)
    return bit >= 0 && (activeMinutes & (1 << bit)) !== 0
  })
}

export async function roomOf(db: Db, training: TrainingId): Promise<Room> {
  const { start, stop, timeZone, extendedUntil, open, inSession } = await windowOf(db, training)
  const { rows } = await selectRoom(db, training)
  const { minutes, unasked, early, ...announcement } = rows[0]!
  return {
    timeZone,
    announcement: announcementOf(announcement),
    idleStopMinutes: minutes,
    watchedWithoutAsking: unasked,
    earlyStart: early,
    window:
      start === null
        ? null
        : { start, stop: stop!, open, extendedUntil: iso(extendedUntil), extendable: open || inSession },
  }
}

export const announcementOf = (announcement: {
  readonly text: string | null
  readonly made_at: Date | null
  readonly ends_at: Date | null
}): Announcement | null =>
  announcement.text === null
    ? null
    : { text: announcement.text, at: iso(announcement.made_at)!, until: iso(announcement.ends_at)! }

export const iso = (instant: Date | null): string | null => instant?.toISOString() ?? null
