import { sql } from 'kysely'
import type { TrainingId, RegistrationLinkId, UserId, OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { RegistrationState } from '../contract/registration-words.ts'
import type { Tx, Db } from '@trainyard/platform/server/db/schema.ts'
import { sqlOf } from '@trainyard/platform/server/core/events.ts'
import { ownedDomains, signsInBy } from '@trainyard/users/server/sign-in-ways.ts'
import { HOLDS_SEAT, TAKEN } from './link.ts'

const withoutSignIn = () => sql<boolean>`(u.role = 'user' and u.password_hash is null and u.signed_in_at is null
  and not ${sqlOf(signsInBy, { user: 'u', way: 'provider' })}
  and not ${sqlOf(signsInBy, { user: 'u', way: 'credential' })})`

/** Lifetime of an e-mailed link. The lifetime is short, because the visitor is waiting for the e-mail. */
export const EMAIL_MINUTES = 30

/** State of a user's registration. */
export interface Registration {
  readonly state: RegistrationState
  /** Position in the waiting list, from 1; null in other states. */
  readonly place: number | null
}

export interface Chosen {
  readonly id: UserId
  readonly email: string
  readonly state: RegistrationState
  readonly isDeactivated: boolean
}

/**
 * SQL: links without approval that have a free seat and a waiting list. The query uses the index
 * `registration_waiting`.
 */
export const PROMOTABLE = sql`
  select l.id from registration_link l
  where l.id in (select link_id from registration where state = 'waiting')
    and l.revoked_at is null and not l.needs_approval
    and coalesce(l.opens_at <= portal_now(), true) and coalesce(l.closes_at > portal_now(), true)
    and ${TAKEN} < l.seats`

export const countLinks = (tx: Tx, training: TrainingId) =>
  sql<{ count: number }>`
    select count(*)::int as count from registration_link where training_id = ${training}`.execute(tx)

export const selectSeatsAbove = (tx: Tx, link: RegistrationLinkId, seats: number) =>
  sql<{ user_id: string }>`
    select user_id from registration where link_id = ${link} and seat > ${seats} order by seat`.execute(tx)

export const moveToLowestSeat = (tx: Tx, seats: number, link: RegistrationLinkId, user: string) =>
  sql`
    update registration set seat = (select min(n) from generate_series(1, ${seats}::integer) as n
      where not exists (select from registration r where r.link_id = ${link} and r.seat = n))
    where link_id = ${link} and user_id = ${user}`.execute(tx)

export const lockAccountWithoutSignIn = (tx: Tx, email: string, organisation: OrganisationId) =>
  sql<{ id: UserId }>`
    select u.id from portal_user u where u.email = ${email} and u.organisation_id = ${organisation}
      and ${withoutSignIn()} for update of u`.execute(tx)

export const selectRecentEmail = (tx: Tx, email: string) =>
  sql<{ id: string }>`
    select id from registration_email
    where email = ${email} and sent_at > portal_now() - make_interval(mins => ${EMAIL_MINUTES})`.execute(tx)

export const selectRecipient = (db: Db, email: string, organisation: OrganisationId) =>
  sql<{ foreign: boolean; known: boolean }>`
    select exists (select from portal_user u where u.email = ${email}
        and u.organisation_id is distinct from ${organisation})
      or exists (select from (${sqlOf(ownedDomains, null)}) d where d.domain = split_part(${email}, '@', 2)
        and d.organisation_id <> ${organisation}) as foreign,
      exists (select from portal_user u where u.email = ${email} and u.organisation_id = ${organisation}
        and not ${withoutSignIn()}) as known`.execute(db)

export const selectRegistration = (db: Db | Tx, link: RegistrationLinkId, user: UserId) =>
  sql<Registration>`
    select r.state, case when r.state = 'waiting' then (select count(*)::int from registration other
      where other.link_id = r.link_id and other.state = 'waiting'
        and (other.registered_at, other.user_id) <= (r.registered_at, r.user_id)) end as place
    from registration r where r.link_id = ${link} and r.user_id = ${user}`.execute(db)

export const selectFreeSeats = (
  tx: Tx,
  id: RegistrationLinkId,
  users: readonly UserId[],
  seats: number,
  count: number,
) =>
  sql<{ seat: number }>`
    with own as (
      select count(*) as held from registration_link l join registration r on r.link_id = l.id
        join portal_user u on u.id = r.user_id
      where l.id = ${id} and u.id = any(${users}::uuid[]) and ${HOLDS_SEAT})
    select number as seat from generate_series(1, ${seats}::integer) as number
    where not exists (select from registration r where r.link_id = ${id} and r.seat = number)
    order by number
    limit (select least(${count}, greatest(0, ${seats} - ${TAKEN} + own.held)) from registration_link l, own
      where l.id = ${id})`.execute(tx)

export const selectEmailsWithMachine = (tx: Tx, training: TrainingId, emails: readonly string[]) =>
  sql<{ email: string }>`
    select email from machine where training_id = ${training} and email = any(${emails}::text[])
      and terminated_at is null and desired <> 'gone'`.execute(tx)

export const lockUsersOfLink = (tx: Tx, emails: readonly string[], id: RegistrationLinkId) =>
  sql`
    select from portal_user where email = any(${emails}::text[])
      and id in (select user_id from registration where link_id = ${id})
    order by id for no key update`.execute(tx)

export const selectChosen = (tx: Tx, id: RegistrationLinkId, emails: readonly string[]) =>
  sql<Chosen>`
    select u.id, u.email, r.state, u.deactivated_at is not null as "isDeactivated" from registration r join portal_user u on u.id = r.user_id
    where r.link_id = ${id} and u.email = any(${emails}::text[]) order by r.registered_at, u.id`.execute(tx)

export const seatUsers = (
  tx: Tx,
  email: string,
  waiting: readonly UserId[],
  seats: readonly number[],
  link: RegistrationLinkId,
) =>
  sql`
    update registration r set state = 'seated', seat = given.seat, decided_at = portal_now(), decided_by = ${email}
    from unnest(${waiting}::uuid[], ${seats}::integer[]) as given (user_id, seat)
    where r.link_id = ${link} and r.user_id = given.user_id`.execute(tx)

export const selectPromotableLinks = (db: Db) => sql<{ id: RegistrationLinkId }>`${PROMOTABLE}`.execute(db)

export const selectFirstWaiting = (tx: Tx, id: RegistrationLinkId) =>
  sql<{ user_id: UserId }>`
    select user_id from registration where link_id = ${id} and state = 'waiting'
    order by registered_at, user_id limit 1`.execute(tx)

export const lockIfPromotable = (tx: Tx, id: RegistrationLinkId) =>
  sql<{
    id: RegistrationLinkId
  }>`${PROMOTABLE} and l.id = ${id} for no key update`.execute(tx)

export const selectRegistered = (tx: Tx, link: RegistrationLinkId, users: readonly UserId[]) =>
  sql<{
    user: UserId
    learner: string
    organisation: OrganisationId
    training: TrainingId
    name: string
    state: RegistrationState
    decidedBy: string | null
  }>`
    select u.id as "user", u.email as learner, l.organisation_id as organisation, l.training_id as training, l.name,
      r.state, r.decided_by as "decidedBy"
    from registration r join registration_link l on l.id = r.link_id join portal_user u on u.id = r.user_id
    where r.link_id = ${link} and r.user_id = any(${users}::uuid[]) order by r.registered_at, u.id`.execute(tx)

export const selectIfFull = (tx: Tx, link: RegistrationLinkId) =>
  sql<{ organisation: OrganisationId; training: TrainingId; name: string; seats: number }>`
    select organisation_id as organisation, training_id as training, name, seats from registration_link l
    where id = ${link}
      and (select count(*) from registration where link_id = l.id and state = 'seated') >= seats`.execute(tx)
