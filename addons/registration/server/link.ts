import { randomInt, randomUUID } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import type { RegistrationLink } from '../contract/registration.ts'
import type {
  OrganisationId,
  RegistrationLinkId,
  TemplateId,
  TrainingId,
} from '@trainyard/platform/contract/words/ids.ts'
import {
  CODE_ALPHABET,
  CODE_CHARACTERS,
  formatCode,
  JOIN_PATH,
  type LinkState,
  REGISTRATION,
} from '../contract/registration-words.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { notFound, Problem } from '@trainyard/platform/server/core/errors.ts'
import { hashToken } from '@trainyard/platform/server/core/tokens.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { RegistrationLinkRow } from '../tables.gen.ts'
import { type Seal, UnreadableSecret } from '@trainyard/platform/server/run/secrets/seal.ts'
import { isInstructedBy } from '@trainyard/trainings/server/instructor.ts'

/** A registration link with its training, organisation and counts. */
export interface Link extends RegistrationLinkRow {
  readonly training: string
  readonly organisation: string
  readonly timeZone: string
  readonly pseudonymsAllowed: boolean
  readonly passwordsAllowed: boolean
  /** Name of the assigned template; null if it was deleted or is no longer assigned. */
  readonly template: string | null
  readonly taken: number
  readonly pending: number
  readonly waiting: number
  readonly state: LinkState
}

const countOf = (state: string) =>
  sql<number>`(select count(*)::int from registration r where r.link_id = l.id and r.state = ${sql.lit(state)})`

/** SQL: true for a declined registration `r` whose learner, user `u`, still has the machine of the seat of link `l`. */
export const HOLDS_SEAT = sql<boolean>`(l.with_machine and r.state = 'declined' and exists (
  select from machine m where m.training_id = l.training_id and m.email = u.email and (
    select created_at from machine_order where id = m.order_id) between r.registered_at and r.decided_at
    and m.terminated_at is null and m.desired <> 'gone'))`

/** SQL: number of taken seats of link `l`. A seat with a machine is free only after the machine was deleted. */
export const TAKEN = sql<number>`(${countOf('seated')} + (
  select count(*)::int from registration r join portal_user u on u.id = r.user_id
  where r.link_id = l.id and ${HOLDS_SEAT}))`

const TEMPLATE = sql<string | null>`(select t.name from template t
  join template_assignment a on a.template_id = t.id and a.organisation_id = l.organisation_id
  where t.id = l.template_id)`

const STATE: RawBuilder<LinkState> = sql<LinkState>`case
  when l.revoked_at is not null then 'revoked'
  when l.with_machine and ${TEMPLATE} is null then 'broken'
  when l.opens_at > portal_now() then 'notOpen'
  when l.closes_at <= portal_now() then 'closed'
  -- The waiting list gets free seats first, unless registrations need an approval.
  when ${TAKEN} + case when l.needs_approval then 0 else ${countOf('waiting')} end >= l.seats then 'full'
  else 'open' end`

/** Selects links whose training and organisation were not removed. */
const links = (db: Db | Tx) =>
  db
    .selectFrom('registration_link as l')
    .innerJoin('training', 'training.id', 'l.training_id')
    .innerJoin('organisation', 'organisation.id', 'l.organisation_id')
    .selectAll('l')
    .select([
      'training.name as training',
      'organisation.name as organisation',
      'organisation.time_zone as timeZone',
      'organisation.pseudonyms_allowed as pseudonymsAllowed',
      'organisation.passwords_allowed as passwordsAllowed',
      TEMPLATE.as('template'),
      TAKEN.as('taken'),
      countOf('pending').as('pending'),
      countOf('waiting').as('waiting'),
      STATE.as('state'),
    ])
    .where('training.removed_at', 'is', null)
    .where('organisation.removed_at', 'is', null)

/**
 * Returns the link of a code. @throws Problem notFound with the same message for an unknown, rotated or revoked code
 */
export async function linkByCode(db: Db | Tx, code: string): Promise<Link> {
  const link = await links(db).where('l.code_hash', '=', hashToken(code)).executeTakeFirst()
  if (link === undefined || link.state === 'revoked') throw new Problem('notFound', REGISTRATION.notValid)
  return link
}

/** Returns a link of a training whose class the actor leads. @throws Problem notFound */
export async function linkInScope(db: Db | Tx, actor: Actor, id: string): Promise<Link> {
  const link = await links(db)
    .where('l.id', '=', id as RegistrationLinkId)
    .$if(actor.role !== 'superadmin', (of) => of.where('l.organisation_id', '=', actor.organisation?.id ?? null!))
    .$if(actor.role === 'user', (of) => of.where(isInstructedBy(actor)))
    .executeTakeFirst()
  if (link === undefined) throw notFound('registration link')
  return link
}

/** Returns a link; undefined if it does not exist or its training or organisation was removed. */
export const linkWithId = (db: Db | Tx, id: RegistrationLinkId): Promise<Link | undefined> =>
  links(db).where('l.id', '=', id).executeTakeFirst()

export const linksOf = (db: Db, training: TrainingId): Promise<Link[]> =>
  links(db).where('l.training_id', '=', training).orderBy('l.made_at').orderBy('l.id').execute()

/**
 * Locks a link and returns its state under the lock. Every change of seats takes this lock. To avoid deadlocks, callers
 * lock users first.
 * @throws Problem notFound if the link was deleted in the meantime
 */
export async function lockLink(tx: Tx, id: RegistrationLinkId): Promise<Link> {
  await tx.selectFrom('registration_link').select('id').where('id', '=', id).forNoKeyUpdate().execute()
  const link = await linkWithId(tx, id)
  if (link === undefined) throw notFound('registration link')
  return link
}

interface LinkSettings {
  readonly name: string
  readonly seats: number
  readonly opensAt: Date | null
  readonly closesAt: Date | null
  readonly domains: readonly string[]
  readonly needsApproval: boolean
  /** Machine that each seat includes, with the allotted minutes; null if seats include no machine. */
  readonly machine: {
    readonly template: TemplateId
    readonly minutes: number | null
    readonly guacamole: boolean
  } | null
}

/** Columns of the machine of each seat. */
export const machineColumns = (machine: LinkSettings['machine']) => ({
  with_machine: machine !== null,
  template_id: machine?.template ?? null,
  allotted_minutes: machine?.minutes ?? null,
  guacamole: machine?.guacamole ?? false,
})

/** Creates a link with a new code, and returns its ID. */
export async function addLink(
  tx: Tx,
  seal: Seal,
  of: { readonly organisation: OrganisationId; readonly training: TrainingId; readonly madeBy: string },
  { name, seats, opensAt, closesAt, domains, needsApproval, machine }: LinkSettings,
): Promise<RegistrationLinkId> {
  const id = randomUUID() as RegistrationLinkId
  await tx
    .insertInto('registration_link')
    .values({
      id,
      organisation_id: of.organisation,
      training_id: of.training,
      name,
      ...codeColumns(seal, id, newCode()),
      seats,
      opens_at: opensAt,
      closes_at: closesAt,
      domains: [...domains],
      needs_approval: needsApproval,
      ...machineColumns(machine),
      problem: null,
      made_by: of.madeBy,
      revoked_at: null,
      revoked_by: null,
    })
    .execute()
  return id
}

export const newCode = (): string =>
  Array.from({ length: CODE_CHARACTERS }, () => CODE_ALPHABET[randomInt(CODE_ALPHABET.length)]).join('')

/** Columns of a new code of a link. */
export const codeColumns = (seal: Seal, id: string, code: string) => ({
  code_hash: hashToken(code),
  code: seal.seal(code, id),
})

export const joinUrl = (publicUrl: string, code: string): string => `${publicUrl}${JOIN_PATH}${formatCode(code)}`

/** Returns the code of a link; null if no configured key decrypts it. */
export function codeOf(seal: Seal, link: Pick<RegistrationLinkRow, 'id' | 'code'>): string | null {
  try {
    return seal.open(link.code, link.id)
  } catch (error) {
    if (error instanceof UnreadableSecret) return null
    throw error
  }
}

export function viewOf(seal: Seal, publicUrl: string, link: Link): RegistrationLink {
  const code = codeOf(seal, link)
  return {
    _id: link.id,
    name: link.name,
    state: link.state,
    code: code === null ? null : formatCode(code),
    url: code === null ? null : joinUrl(publicUrl, code),
    seats: link.seats,
    taken: link.taken,
    pending: link.pending,
    waiting: link.waiting,
    opensAt: link.opens_at?.toISOString() ?? null,
    closesAt: link.closes_at?.toISOString() ?? null,
    domains: link.domains,
    needsApproval: link.needs_approval,
    machine: link.with_machine
      ? { templateName: link.template, allocatedHours: link.allotted_minutes, guacamole: link.guacamole }
      : null,
    problem: link.problem,
    madeBy: link.made_by,
    madeAt: link.made_at.toISOString(),
  }
}
