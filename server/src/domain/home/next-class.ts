import { sql } from 'kysely'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import { CLASS_CHECKS, type home } from '@trainyard/contract/calls/home.ts'
import type { OrderId, TrainingId } from '@trainyard/contract/words/ids.ts'
import type { Db } from '../../db/schema.ts'
import { stayOffReasons } from '../lab/machine/billing-rules.ts'
import { usedByMachine } from '../money/meter/used.ts'
import { NEWEST_INVITATION } from '../people/user/invitation-state.ts'
import type { OrganisationInScope } from '../people/organisation/scope.ts'

type NextClass = NonNullable<ReplyOf<typeof home.nextClass>['nextClass']>
type Check = (typeof CLASS_CHECKS)[number]

interface Planned {
  readonly training: string
  readonly training_id: TrainingId
  readonly order_id: OrderId | null
  readonly date: string
  readonly time: string
  readonly ready_at: Date
  readonly started: boolean
}

export async function nextClassOf(db: Db, { id }: OrganisationInScope): Promise<NextClass | null> {
  const { rows } = await sql<Planned>`
    select t.name as training, r.training_id, r.order_id, r.date, r.time, r.ready_at,
      r.started_at is not null as started
    from ready_by r join training t on t.id = r.training_id
    where r.organisation_id = ${id} and r.removed_at is null and not r.missed and t.removed_at is null
      and r.ready_at > portal_now() - interval '30 minutes'
    order by r.ready_at limit 1`.execute(db)
  const planned = rows[0]
  if (planned === undefined) return null
  const { training, date, time, ready_at, started } = planned
  const [seats, problems] = [await seatsOf(db, planned), await problemsOf(db, planned)]
  return {
    training,
    date,
    time,
    readyAt: ready_at.toISOString(),
    started,
    ...seats,
    checks: CLASS_CHECKS.map((check) => ({ check, problem: problems[check] })),
  }
}

const machinesOf = ({ training_id, order_id }: Planned) => sql`(
  select * from machine where training_id = ${training_id} and terminated_at is null and desired <> 'gone'
    and (${order_id}::uuid is null or order_id = ${order_id}))`

async function seatsOf(db: Db, planned: Planned): Promise<{ seats: number; ready: number }> {
  const { rows } = await sql<{ seats: number; ready: number }>`
    select count(*)::int as seats, (count(*) filter (where desired = 'running' and observed = 'running'
      and not password_due and reset_asked_at is null))::int as ready
    from ${machinesOf(planned)} as m`.execute(db)
  return rows[0]!
}

/** Tests each condition that would prevent a machine from starting or its learner from signing in. */
async function problemsOf(db: Db, planned: Planned): Promise<Record<Check, string | null>> {
  const { rows } = await sql<{
    place: string | null
    hours: number
    uninvited: number
    bounced: string[] | null
    imageless: number
  }>`
    with seat as (select * from ${machinesOf(planned)} as m)
    select (
        select format('%s in %s', need.vm_size, need.location)
        from (select location, vm_size, count(*) as machines from seat where observed <> 'running' group by 1, 2) as need
        join cloud_place p on p.location = need.location
        left join cloud_size s on s.location = need.location and lower(s.size) = lower(need.vm_size)
        where s.size is null or s.withheld is not null or exists (
          select from cloud_limit l where l.location = need.location
            and (l.family = 'cores' or lower(l.family) = lower(s.family))
            and l.allowed - l.used < s.cores * need.machines)
        limit 1
      ) as place,
      (select count(*) from seat left join ${usedByMachine(sql`select id from seat`)} as used
        on used.machine_id = seat.id where used.seconds >= seat.allotted_minutes * 60)::int as hours,
      (select count(distinct u.id) from seat join portal_user u on u.email = seat.email
        where u.password_hash is null and u.signed_in_at is null and not exists (
          select from invitation i where i.user_id = u.id and i.purpose = 'invitation' and i.used_at is null
            and i.revoked_at is null and i.bounced_at is null and invitation_end(i) > ${planned.ready_at}))::int as uninvited,
      (select array_agg(email order by email) from (select distinct u.email from seat
        join portal_user u on u.email = seat.email and u.password_hash is null and u.signed_in_at is null
        join lateral ${NEWEST_INVITATION} as newest on newest.bounced_at is not null) as b) as bounced,
      (select count(*) from seat left join image i on i.image_id = seat.image_id
        left join cloud_terms c on c.publisher = seat.plan_publisher and c.product = seat.plan_product
          and c.plan = split_part(seat.image_id, ':', 3)
        where seat.first_seen_at is null
          and ((i.id is not null and i.ready_at is null) or c.accepted is false))::int as imageless`.execute(db)
  const { place, hours, uninvited, bounced, imageless } = rows[0]!
  return {
    capacity:
      place === null ? null : `The cloud has no room for ${place}. Ask the portal's operator to raise the limit.`,
    hours: hours === 0 ? null : `The allotted hours of ${machinesText(hours)} are used up. Ask for more quota.`,
    budget: (await stayOffReasons(db, [planned.training_id])).get(planned.training_id) ?? null,
    invitations: invitationProblem(uninvited, bounced ?? []),
    image:
      imageless === 0 ? null : `The image of ${machinesText(imageless)} is not ready, or its terms are not accepted.`,
  }
}

function invitationProblem(uninvited: number, bounced: readonly string[]): string | null {
  const [first] = bounced
  if (first !== undefined) {
    const others = bounced.length === 1 ? '' : ` and ${bounced.length - 1} more`
    return `The mail server rejected the invitation for ${first}${others}. See People in Organisation Settings.`
  }
  if (uninvited === 0) return null
  return `${uninvited === 1 ? 'One learner has' : `${uninvited} learners have`} no invitation that lasts until the class. Invite them again.`
}

const machinesText = (count: number): string => (count === 1 ? 'one machine' : `${count} machines`)
