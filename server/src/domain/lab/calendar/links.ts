import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { calendar } from '@trainyard/contract/calls/calendar.ts'
import type { CalendarLinkId, TrainingId, UserId } from '@trainyard/contract/words/ids.ts'
import type { Actor } from '../../../core/actor.ts'
import { Problem } from '../../../core/errors.ts'
import { hashToken } from '../../../core/tokens.ts'
import { portalNow } from '../../../db/client.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import { findSignInUser } from '../../people/user/sign-in-user.ts'
import { isInstructedBy } from '../training/instructor.ts'
import { type TrainingInScope, trainingIgnoringWindow } from '../training/scope.ts'
import { type FeedClassSession, icsOf } from './feed.ts'

type Link = ReplyOf<typeof calendar.list>['links'][number]

export async function linksOf(db: Db, user: UserId): Promise<Link[]> {
  const { rows } = await sql<{
    id: CalendarLinkId
    training: string | null
    organisation: string | null
    created_at: Date
    last_read_at: Date | null
  }>`
    select link.id, training.name as training, organisation.name as organisation, link.created_at, link.last_read_at
    from calendar_link link left join training on training.id = link.training_id
      left join organisation on organisation.id = link.organisation_id
    where link.user_id = ${user} order by training.name nulls first`.execute(db)
  return rows.map(({ id, training, organisation, created_at, last_read_at }) => ({
    _id: id,
    trainingName: training,
    organization: organisation,
    createdAt: created_at.toISOString(),
    lastReadAt: last_read_at?.toISOString() ?? null,
  }))
}

/**
 * Creates a link and replaces the user's previous link for the same sessions. Returns the token. Only the hash is
 * stored.
 */
export async function createLink(tx: Tx, user: UserId, training: TrainingInScope | null): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await sql`
    insert into calendar_link (user_id, training_id, organisation_id, token_hash)
    values (${user}, ${training?.id ?? null}, ${training?.organisationId ?? null}, ${hashToken(token)})
    on conflict (user_id, training_id) do update
      set token_hash = excluded.token_hash, created_at = portal_now(), last_read_at = null`.execute(tx)
  return token
}

/** Deletes a link of the user if the link exists. Idempotent: a retry after a lost reply succeeds. */
export async function revokeLink(tx: Tx, user: UserId, link: string): Promise<void> {
  await sql`delete from calendar_link where id = ${link} and user_id = ${user}`.execute(tx)
}

const LINK_NOT_VALID =
  'This calendar link is not valid. It was revoked or replaced, or it is incomplete. Create a new one on Account Security.'
const PAST_DAYS = 31
const FUTURE_DAYS = 400
const SESSIONS_MAX = 2_000

/**
 * Returns the sessions that the owner of a link may see now. The link ends with the user, machine or organisation
 * that gave access.
 * @throws Problem notFound for an unknown or revoked token, and for a training out of the owner's scope
 */
export async function readLink(tx: Tx, token: string, publicUrl: string): Promise<string> {
  const { rows } = await sql<{
    id: CalendarLinkId
    user_id: UserId
    training: string | null
    organisation: string | null
  }>`
    select link.id, link.user_id, training.name as training, organisation.name as organisation
    from calendar_link link left join training on training.id = link.training_id
      left join organisation on organisation.id = link.organisation_id
      join portal_user owner on owner.id = link.user_id and owner.deactivated_at is null
    where link.token_hash = ${hashToken(token)}`.execute(tx)
  const [link] = rows
  const found = link === undefined ? undefined : await findSignInUser(tx, { id: link.user_id })
  if (link === undefined || found === undefined) throw new Problem('notFound', LINK_NOT_VALID)
  const { actor } = found
  const training =
    link.training === null
      ? null
      : await trainingIgnoringWindow(tx, actor, { trainingName: link.training, organization: link.organisation! })
  const now = await portalNow(tx)
  const sessions = await sessionsFor(tx, actor, training?.id ?? null, now)
  await sql`
    update calendar_link set last_read_at = portal_now()
    where id = ${link.id} and (last_read_at is null or last_read_at < portal_now() - interval '1 hour')`.execute(tx)
  return icsOf({ name: training === null ? 'My sessions' : training.name, url: publicUrl, now, sessions })
}

async function sessionsFor(db: Db, actor: Actor, training: TrainingId | null, now: Date) {
  const from = new Date(now.getTime() - PAST_DAYS * 86_400_000)
  const until = new Date(now.getTime() + FUTURE_DAYS * 86_400_000)
  // Superadmins have no organisation. Without a training they get no sessions, because all customers together have too
  // many sessions.
  const ofActor =
    actor.role === 'user'
      ? sql`(${isInstructedBy(actor)} or exists (select from machine m where m.training_id = training.id
          and m.email = ${actor.email} and m.terminated_at is null and m.withheld_at is null))
          and training.organisation_id = ${actor.organisation?.id ?? null}`
      : sql`training.organisation_id = ${actor.organisation?.id ?? null}`
  const scope =
    training === null
      ? ofActor
      : actor.role === 'superadmin'
        ? sql`training.id = ${training}`
        : sql`training.id = ${training} and ${ofActor}`
  const { rows } = await sql<FeedClassSession>`
    select s.id, training.name as training, s.starts_at as "startsAt", s.stops_at as "stopsAt",
      s.skipped_at is not null as skipped, s.revision, s.revised_at as "revisedAt"
    from class_session s join training on training.id = s.training_id
    where ${scope} and s.removed_at is null and training.removed_at is null
      and s.stops_at > ${from} and s.starts_at < ${until}
    order by s.starts_at limit ${SESSIONS_MAX}`.execute(db)
  return rows
}
