import { randomBytes } from 'node:crypto'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { calendar } from '../../contract/calendar.ts'
import type { TrainingId, UserId } from '@trainyard/platform/contract/words/ids.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import { hashToken } from '@trainyard/platform/server/core/tokens.ts'
import { portalNow } from '@trainyard/platform/server/db/client.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { findSignInUser } from '@trainyard/users/server/sign-in-user.ts'
import { type TrainingInScope, trainingIgnoringWindow } from '@trainyard/trainings/server/scope.ts'
import { icsOf } from '@trainyard/trainings/server/calendar.ts'
import { selectLinks, upsertLink, deleteLink, selectLinkByToken, updateLastRead, selectSessions } from './queries.ts'

type Link = ReplyOf<typeof calendar.list>['links'][number]

export async function linksOf(db: Db, user: UserId): Promise<Link[]> {
  const { rows } = await selectLinks(db, user)
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
  await upsertLink(tx, user, training?.id ?? null, training?.organisationId ?? null, hashToken(token))
  return token
}

/** Deletes a link of the user if the link exists. Idempotent: a retry after a lost reply succeeds. */
export async function revokeLink(tx: Tx, user: UserId, link: string): Promise<void> {
  await deleteLink(tx, link, user)
}

const LINK_NOT_VALID =
  'This calendar link is not valid. It was revoked or replaced, or it is incomplete. Create a new one on Account Security.'
const PAST_DAYS = 31
const FUTURE_DAYS = 400

/**
 * Returns the sessions that the owner of a link may see now. The link ends with the user, machine or organisation
 * that gave access.
 * @throws Problem notFound for an unknown or revoked token, and for a training out of the owner's scope
 */
export async function readLink(tx: Tx, token: string, publicUrl: string): Promise<string> {
  const { rows } = await selectLinkByToken(tx, hashToken(token))
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
  await updateLastRead(tx, link.id)
  return icsOf({ name: training === null ? 'My sessions' : training.name, url: publicUrl, now, sessions })
}

async function sessionsFor(db: Db, actor: Actor, training: TrainingId | null, now: Date) {
  const from = new Date(now.getTime() - PAST_DAYS * 86_400_000)
  const until = new Date(now.getTime() + FUTURE_DAYS * 86_400_000)

  const { rows } = await selectSessions(db, {
    training,
    actor,
    from,
    until,
  })
  return rows
}
