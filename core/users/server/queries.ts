import { sql, type RawBuilder } from 'kysely'
import { NO_MAILBOX } from '@trainyard/platform/contract/words/email.ts'
import type { OrganisationId, TrainingId, UserId } from '@trainyard/platform/contract/words/ids.ts'
import type { Role } from '@trainyard/platform/contract/words/role.ts'
import { CONFIRMED_MINUTES, type SecondFactorRule } from '@trainyard/platform/contract/words/sign-in.ts'
import { sqlOf } from '@trainyard/platform/server/core/events.ts'
import type { Sought } from '@trainyard/platform/server/core/search.ts'
import type { Tx, Db } from '@trainyard/platform/server/db/schema.ts'
import { INVITATION_DAYS } from './invitation-link.ts'
import { newestInvitation } from './invitation-state.ts'
import { secondFactorDuty } from './restricted.ts'
import { ownedDomains, signsInBy } from './sign-in-ways.ts'
import { mustChangePassword, sessionIsValid } from './valid-session.ts'

export const WINDOW_SECONDS = 60

const WINDOW_EXPIRED = sql`portal_now() - make_interval(secs => ${WINDOW_SECONDS})`

const SECONDS_LEFT = sql<number>`ceil(extract(epoch from began_at - (${WINDOW_EXPIRED})))::int`

/** Maximum number of attempts per lane. A lane is one known browser of a user, or all other browsers together. */
export const ATTEMPTS_PER_LANE = 10

export const updateAddress = (tx: Tx, newEmail: string, id: UserId) =>
  sql<{ signed_in_at: Date | null }>`
    update portal_user set email = ${newEmail}
    where id = ${id} and not exists (select from portal_user where email = ${newEmail})
    returning signed_in_at`.execute(tx)

export const selectIsControlRelated = (tx: Tx, first: UserId, second: UserId) =>
  sql`
    with recursive controller as (
      select user_id, controlled_by, reason <> 'reset' as chose from account_control where user_id in (${first}, ${second})
      union
      select controller.user_id, further.controlled_by, controller.chose and further.reason <> 'reset'
      from controller join account_control further on further.user_id = controller.controlled_by)
    select from controller a where user_id = ${first} and controlled_by = ${second}
      or user_id = ${second} and controlled_by = ${first}
      or user_id = ${first} and chose and exists (
        select from controller b where b.user_id = ${second} and b.controlled_by = a.controlled_by and b.chose)
    limit 1`.execute(tx)

export const selectForeignDomains = (tx: Tx, emails: readonly string[], organisation: OrganisationId) =>
  sql<{ email: string }>`
    select email from unnest(${emails}::text[]) as email
    join (${sqlOf(ownedDomains, null)}) d on d.domain = split_part(email, '@', 2)
    where d.organisation_id <> ${organisation}
    order by email limit 1`.execute(tx)

export const lockUnusedAccounts = (
  tx: Tx,
  organisation: OrganisationId,
  emails: string[] | null,
  suffix: string | null,
) =>
  sql<{ id: UserId; role: 'user' | 'admin'; organisation_id: OrganisationId }>`
    select u.id, u.role, u.organisation_id from portal_user u
    join (${sqlOf(ownedDomains, null)}) d on d.domain = split_part(u.email, '@', 2) and d.organisation_id = ${organisation}
    where (u.email = any(${emails}::text[]) or u.email like '%' || ${suffix}::text) and u.organisation_id <> ${organisation} and u.role in ('user', 'admin')
      and u.signed_in_at is null and (u.password_hash is null or u.password_given)
      and not exists (select from session s where s.user_id = u.id)
      and not ${sqlOf(signsInBy, { user: 'u', way: 'provider' })}
    order by u.email for no key update of u`.execute(tx)

export const revokeInvitationsOf = (tx: Tx, users: UserId[]) =>
  sql`
    update invitation set revoked_at = portal_now()
    where user_id = any(${users}::uuid[]) and used_at is null and revoked_at is null`.execute(tx)

export const claimAccounts = (tx: Tx, organisation: OrganisationId, users: UserId[]) =>
  sql`
    update portal_user set organisation_id = ${organisation}, role = 'user', role_since = portal_now(), name = null,
      password_hash = null, password_given = false
    where id = any(${users}::uuid[])`.execute(tx)

export const selectAddability = (tx: Tx, organisation: OrganisationId, emails: readonly string[]) =>
  sql<{ email: string; elsewhere: boolean }>`
    select email, exists (select from (${sqlOf(ownedDomains, null)}) d where d.domain = split_part(email, '@', 2)
        and d.organisation_id <> ${organisation})
      or exists (select from portal_user u where u.email = given.email
        and u.organisation_id is distinct from ${organisation}) as elsewhere
    from unnest(${emails}::text[]) as given (email) order by email`.execute(tx)

export const insertLearners = (tx: Tx, organisationId: OrganisationId, sorted: readonly string[]) =>
  sql`
      insert into portal_user (email, role, organisation_id)
      select email, 'user', ${organisationId} from unnest(${sorted}::text[]) as email
      on conflict (email) do nothing
    `.execute(tx)

export const insertInvitations = (tx: Tx, sorted: readonly string[]) =>
  sql<{ id: string }>`
      insert into invitation (user_id, expires_at)
      select u.id, portal_now() + make_interval(days => ${INVITATION_DAYS})
      from portal_user u
      where u.email = any(${sorted}::text[]) and u.password_hash is null and u.deactivated_at is null
        and split_part(u.email, '@', 2) <> ${NO_MAILBOX} and not exists (
        select from invitation i where i.user_id = u.id and i.purpose = 'invitation' and i.used_at is null and i.revoked_at is null
          and i.bounced_at is null and i.expires_at > portal_now()
      )
      returning id
    `.execute(tx)

export const updateLearnerNames = (tx: Tx, emails: readonly string[], names: readonly string[]) =>
  sql`
    with locked as (
      select id, email from portal_user
      where email = any(${emails}::text[]) and role = 'user' and (name is null or signed_in_at is null)
      order by email for no key update)
    update portal_user u set name = given.name
    from locked join unnest(${emails}::text[], ${names}::text[]) as given (email, name)
      on given.email = locked.email
    where u.id = locked.id and u.name is distinct from given.name`.execute(tx)

export const selectInvitable = (tx: Tx, isSuperadmin: boolean, id: UserId) =>
  sql<{ hasPassword: boolean; correctable: boolean }>`
    select password_hash is not null as "hasPassword",
      (role = 'user' or (role = 'admin' and ${isSuperadmin})) and signed_in_at is null
        and not ${sqlOf(signsInBy, { user: 'u', way: 'provider' })}
        and exists (select from ${newestInvitation()} as newest where bounced_at is not null) as correctable
    from portal_user u where id = ${id} for no key update`.execute(tx)

export const deleteSessionsOpened = (
  tx: Tx,
  organisation: OrganisationId,
  openedBy: 'portal' | 'provider',
  kept: Buffer | null,
  among: RawBuilder<boolean>,
) =>
  sql`
    delete from session s using portal_user u
    where u.id = s.user_id and u.organisation_id = ${organisation} and u.role <> 'superadmin'
      and s.opened_by = ${openedBy}
      and s.token_hash is distinct from ${kept} and ${among}`.execute(tx)

export const selectLaneWait = (db: Db, lane: Buffer) =>
  sql<{ wait: number }>`
    select ${SECONDS_LEFT} as wait from login_lane where lane = ${lane} and taken >= ${ATTEMPTS_PER_LANE}`.execute(db)

export const reserveInLane = (db: Db, lane: Buffer) =>
  sql<{ granted: boolean; wait: number | null }>`
    with granted as (
      insert into login_lane as l (lane, began_at, taken) values (${lane}, portal_now(), 1)
      on conflict (lane) do update set
        taken = case when l.began_at <= ${WINDOW_EXPIRED} then 1 else l.taken + 1 end,
        began_at = case when l.began_at <= ${WINDOW_EXPIRED} then portal_now() else l.began_at end
      where l.began_at <= ${WINDOW_EXPIRED} or l.taken < ${ATTEMPTS_PER_LANE}
      returning 1)
    select exists (select from granted) as granted,
      (select ${SECONDS_LEFT} from login_lane where lane = ${lane}) as wait`.execute(db)

export const releaseInLane = (db: Db, lane: Buffer) =>
  sql`update login_lane set taken = greatest(taken - 1, 0) where lane = ${lane}`.execute(db)

export const deleteExpiredLanes = (db: Db) => sql`delete from login_lane where began_at < ${WINDOW_EXPIRED}`.execute(db)

/** Returns the invited user, with the training of the newest machine, if the invitation was not rejected before. */
export const bounceInvitation = (tx: Tx, invitation: string, reply: string) =>
  sql<{ user: UserId; email: string; role: Role; organisation: OrganisationId | null; training: TrainingId | null }>`
    with before as (select id, bounced_at from invitation where id = ${invitation} for no key update),
    bounced as (
      update invitation i set bounced_at = portal_now(), bounce = ${reply} from before
      where i.id = before.id and used_at is null and delivered_at is null
      returning i.user_id, before.bounced_at)
    select u.id as "user", u.email, u.role, u.organisation_id as organisation,
      (select m.training_id from machine m where m.email = u.email and m.organisation_id = u.organisation_id
        and m.terminated_at is null order by m.created_at desc limit 1) as training
    from bounced join portal_user u on u.id = bounced.user_id where bounced.bounced_at is null`.execute(tx)

export const unseen = sql<boolean>`session.seen_at <= portal_now() - interval '1 minute'`

/** Read by each call. */
export const selectSession = (db: Db, tokenHash: Buffer, rule: SecondFactorRule) =>
  db
    .selectFrom('session')
    .innerJoin('portal_user', 'portal_user.id', 'session.user_id')
    .leftJoin('organisation', 'organisation.id', 'portal_user.organisation_id')
    .select([
      'portal_user.id',
      'portal_user.email',
      'portal_user.role',
      'portal_user.name as user_name',
      'organisation.id as organisation_id',
      'organisation.name',
      'organisation.time_zone',
      'organisation.logo',
      unseen.as('unseen'),
      sql<boolean>`coalesce(
        session.confirmed_at > portal_now() - make_interval(mins => ${sql.lit(CONFIRMED_MINUTES)}), false)`.as(
        'confirmed',
      ),
      mustChangePassword.as('must_change_password'),
      sql<boolean>`exists (select from training_instructor where training_instructor.user_id = portal_user.id)`.as(
        'leads_classes',
      ),
      sqlOf(secondFactorDuty, rule).as('duty'),
    ])
    .where('session.token_hash', '=', tokenHash)
    .where(sessionIsValid())

/** Returns the names of the trainings of which the user is an instructor. */
export const selectInstructedTrainings = (db: Db, user: UserId) =>
  sql<{ name: string }>`
    select t.name from training_instructor i join training t on t.id = i.training_id
    where i.user_id = ${user} order by t.name`.execute(db)

/** SQL: the number of live machines of a user. */
export const LIVE_MACHINES = sql<number>`(select count(*) from machine
  where machine.organisation_id = portal_user.organisation_id and machine.email = portal_user.email
    and machine.terminated_at is null)`

/** People whose address, or a word of whose name, begins with a text. @param within organisation; null: all */
export const selectPeopleLike = (db: Db, { begins, within, most }: Sought) =>
  sql<{ email: string; name: string | null; organisation: string | null }>`
    select found.email, found.name, o.name as organisation
    from (
      (select email, name, organisation_id from portal_user
        where email like ${begins} and (${within}::uuid is null or organisation_id = ${within}) order by email limit ${most})
      union
      (select email, name, organisation_id from portal_user
        where ' ' || lower(name) like '% ' || ${begins} and (${within}::uuid is null or organisation_id = ${within})
        order by email limit ${most})
    ) found left join organisation o on o.id = found.organisation_id
    order by found.email limit ${most}`.execute(db)
