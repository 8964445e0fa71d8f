import { sql } from 'kysely'
import type { OwnClass } from '@trainyard/contract/calls/classroom.ts'
import type { HandReason } from '@trainyard/contract/words/classroom.ts'
import type { MachineId, TrainingId } from '@trainyard/contract/words/ids.ts'
import type { Actor } from '../../../core/actor.ts'
import type { Db } from '../../../db/schema.ts'
import { DUE_AT } from '../training/deferred-stops.ts'
import { isWindowOpen } from '../training/window.ts'
import { announcementOf, iso } from './rows.ts'

interface OwnRow {
  readonly name: string
  readonly text: string | null
  readonly made_at: Date | null
  readonly ends_at: Date | null
  readonly raised_at: Date | null
  readonly reason: HandReason | null
  readonly place: number | null
  readonly next_stop_at: Date | null
  readonly machines: { readonly name: string; readonly stops_at: string | null }[]
}

const isMine = ({ email, organisation }: Actor) =>
  sql`m.email = ${email} and m.organisation_id = ${organisation?.id ?? null} and m.terminated_at is null
    and m.withheld_at is null`

export async function ownClasses(db: Db, actor: Actor): Promise<OwnClass[]> {
  const { rows } = await sql<OwnRow>`
    select training.name, said.text, said.made_at, said.ends_at, hand.raised_at, hand.reason, mine.machines,
      case when hand.raised_at is not null then (select count(*)::int from raised_hand other
        where other.training_id = training.id and (other.raised_at, other.email) <= (hand.raised_at, hand.email)
          and exists (select from machine m where m.training_id = training.id and m.email = other.email
            and m.terminated_at is null)
      ) end as place,
      (select min(${DUE_AT}) from schedule where training_id = training.id and action = 'Stop'
        and completed_at is null and removed_at is null and ${DUE_AT} > portal_now()) as next_stop_at
    from (select m.training_id, jsonb_agg(jsonb_build_object('name', m.name,
        'stops_at', case when m.desired = 'running' then a.stops_at end) order by m.number) as machines
      from machine m left join machine_activity a on a.machine_id = m.id
      where ${isMine(actor)} group by m.training_id) as mine
    join training on training.id = mine.training_id
    join organisation on organisation.id = training.organisation_id
    left join announcement said on said.training_id = training.id and said.ends_at > portal_now()
    left join raised_hand hand on hand.training_id = training.id and hand.email = ${actor.email}
    where training.removed_at is null and ${isWindowOpen}
    order by training.name`.execute(db)
  return rows.map((row) => ({
    trainingName: row.name,
    announcement: announcementOf(row),
    handRaisedAt: iso(row.raised_at),
    handReason: row.reason,
    handPlace: row.place,
    machines: row.machines.map(({ name, stops_at }) => ({
      vmName: name,
      stopsAt: stops_at === null ? null : new Date(stops_at).toISOString(),
    })),
    nextStopAt: iso(row.next_stop_at),
  }))
}

export async function ownMachines(db: Db, actor: Actor): Promise<{ id: MachineId; training: TrainingId }[]> {
  const { rows } = await sql<{ id: MachineId; training: TrainingId }>`
    select m.id, m.training_id as training from machine m where ${isMine(actor)}`.execute(db)
  return rows
}
