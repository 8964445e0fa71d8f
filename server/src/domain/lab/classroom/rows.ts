import { sql } from 'kysely'
import type { Announcement, Room, Seat } from '@trainyard/contract/calls/classroom.ts'
import { ACTIVITY_MINUTES, type HandReason } from '@trainyard/contract/words/classroom.ts'
import type { MachineId, TrainingId } from '@trainyard/contract/words/ids.ts'
import type { Db } from '../../../db/schema.ts'
import { LEARNER_NAME, PLANNED_TIME } from '../machine/rows.ts'
import { type MeteredMachine, SHOWN, viewOf } from '../machine/view.ts'
import { usedByMachine } from '../../money/meter/used.ts'
import { ABANDONED_SECONDS } from '../remote/open.ts'
import { windowOf } from '../training/window.ts'
import { idleSince, activityJoins } from './idle.ts'

interface SeatRow extends MeteredMachine {
  readonly connectedSince: Date | null
  readonly disconnectedSince: Date | null
  readonly runningSince: Date | null
  readonly idleSince: Date | null
  readonly cpuPercent: number | null
  readonly cpuAt: Date | null
  readonly handRaisedAt: Date | null
  readonly handReason: HandReason | null
  readonly activeMinutes: number | null
  readonly activeAgo: number | null
  readonly stopsAt: Date | null
}

export async function seatsOf(db: Db, training: TrainingId, machineIds: readonly MachineId[] | null): Promise<Seat[]> {
  const condition =
    machineIds === null
      ? sql`m.training_id = ${training} and m.terminated_at is null`
      : sql`m.training_id = ${training} and m.id = any(${machineIds}::uuid[])`
  const { rows } = await sql<SeatRow>`
    select ${sql.join(SHOWN.map((column) => sql.ref(`m.${column}`)))}, coalesce(used.seconds, 0)::bigint as seconds,
      ${LEARNER_NAME}, planned.ready_at as "readyAt",
      case when m.observed = 'running' then r.started_at end as "runningSince", ${idleSince} as "idleSince",
      a.cpu_percent as "cpuPercent", a.cpu_at as "cpuAt", a.stops_at as "stopsAt", hand.raised_at as "handRaisedAt",
      hand.reason as "handReason", a.active_minutes as "activeMinutes",
      floor(extract(epoch from portal_now() - a.active_at) / 60)::int as "activeAgo",
      (select min(s.opened_at) from remote_session s where s.machine_id = m.id and s.email = m.email
        and s.closed_at is null and s.seen_at > portal_now() - make_interval(secs => ${ABANDONED_SECONDS})
      ) as "connectedSince",
      (select max(s.closed_at) from remote_session s where s.machine_id = m.id and s.email = m.email
      ) as "disconnectedSince"
    from machine m ${activityJoins}
    left join raised_hand hand on hand.training_id = m.training_id and hand.email = m.email
    left join ${usedByMachine(sql`select m.id from machine m where ${condition}`)} as used on used.machine_id = m.id
    ${PLANNED_TIME}
    where ${condition} order by m.number`.execute(db)
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
  const { rows } = await sql<{
    minutes: number | null
    unasked: boolean
    early: boolean
    text: string | null
    made_at: Date | null
    ends_at: Date | null
  }>`
    select training.idle_stop_minutes as minutes, training.watched_without_asking as unasked, training.early_start as early, announcement.text, announcement.made_at, announcement.ends_at
    from training left join announcement on announcement.training_id = training.id
      and announcement.ends_at > portal_now()
    where training.id = ${training}`.execute(db)
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
