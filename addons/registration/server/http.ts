import { registrationAccount } from './jobs.ts'
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { BodyOf } from '@trainyard/platform/contract/call.ts'
import type { RegistrationLink, registration, registrationLink } from '../contract/registration.ts'
import type { OrganisationId, TemplateId } from '@trainyard/platform/contract/words/ids.ts'
import { LINKS_PER_TRAINING, REGISTRATION } from '../contract/registration-words.ts'
import { SECOND_FACTOR } from '@trainyard/second-factor/contract/second-factor-words.ts'
import { conflict, notFound, Problem, signedOut } from '@trainyard/platform/server/core/errors.ts'
import { type HandlersOf, prepared } from '@trainyard/platform/server/core/handler.ts'
import { hashToken } from '@trainyard/platform/server/core/tokens.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { createChallenge, reserveAnswer, useChallenge } from '@trainyard/second-factor/server/challenge.ts'
import { enqueueFactorNotice } from '@trainyard/second-factor/server/notice.ts'
import { registrationOptions, verifyNewPasskey } from '@trainyard/second-factor/server/passkey.ts'
import type { RelyingParty } from '@trainyard/second-factor/server/relying-party.ts'
import { findSignInUser } from '@trainyard/users/server/sign-in-user.ts'
import { laneOf, reserveAttempt } from '@trainyard/users/server/sign-in-attempts.ts'
import { completeSignIn } from '@trainyard/users/server/complete-sign-in.ts'
import { hashPassword } from '@trainyard/users/server/passwords.ts'
import { nameOf } from '@trainyard/users/server/change-user.ts'
import { refuseWeakPassword } from '@trainyard/users/server/weak-password.ts'
import { classInScope, lockTrainingToPlan } from '@trainyard/trainings/server/scope.ts'
import { countLinks, selectSeatsAbove, moveToLowestSeat, type Registration } from './queries.ts'
import { addUserWithoutSignIn, createUser, requireConfirmation, requireNewRecipient } from './registered-user.ts'
import {
  addLink,
  codeColumns,
  type Link,
  linkByCode,
  linkInScope,
  linksOf,
  lockLink,
  machineColumns,
  newCode,
  viewOf,
} from './link.ts'
import {
  approve,
  decline,
  messageOf,
  refuseClosed,
  refuseForeigner,
  refuseOtherDomain,
  registrationOf,
  takeSeat,
} from './seat.ts'
import { tellIfFull } from './tell.ts'

interface RegistrationDependencies {
  readonly seal: Seal
  readonly jobs: JobQueue
}

export const registrationLinkHandlers = ({
  seal,
  jobs,
  publicUrl,
}: RegistrationDependencies & { readonly publicUrl: string }): HandlersOf<'registrationLink'> => ({
  async list(db, { actor, query }) {
    const { id, organisationId } = await classInScope(db, actor, query)
    const links = await linksOf(db, id)
    const templates = await db
      .selectFrom('template')
      .innerJoin('template_assignment', 'template_assignment.template_id', 'template.id')
      .select(['template.name', 'template.os'])
      .where('template_assignment.organisation_id', '=', organisationId)
      .orderBy('template.name')
      .execute()
    return { links: links.map((link) => viewOf(seal, publicUrl, link)), templates }
  },

  async registrations(db, { actor, query }) {
    const { id } = await linkInScope(db, actor, query.link)
    const rows = await db
      .selectFrom('registration')
      .innerJoin('portal_user', 'portal_user.id', 'registration.user_id')
      .select(['email', 'name', 'is_pseudonym', 'state', 'registered_at', 'decided_by'])
      .where('link_id', '=', id)
      .orderBy('registered_at')
      .orderBy('user_id')
      .execute()
    return {
      registrations: rows.map(({ is_pseudonym, registered_at, decided_by, ...row }) => ({
        ...row,
        isPseudonym: is_pseudonym,
        registeredAt: registered_at.toISOString(),
        decidedBy: decided_by,
      })),
    }
  },

  async create(tx, { actor, body, auditChange }) {
    const { trainingName: _, organization: __, machine, opensAt, closesAt, ...more } = body
    const training = await lockTrainingToPlan(tx, actor, body)
    if (actor.role === 'user' && machine !== null) throw instructorOrders()
    const { rows } = await countLinks(tx, training.id)
    if (rows[0]!.count >= LINKS_PER_TRAINING) {
      throw conflict(`A training has at most ${LINKS_PER_TRAINING} registration links. Change an existing one.`)
    }
    requireOrder(opensAt, closesAt)
    const id = await addLink(
      tx,
      seal,
      { organisation: training.organisationId, training: training.id, madeBy: actor.email },
      {
        ...more,
        opensAt: dateOf(opensAt),
        closesAt: dateOf(closesAt),
        machine: await machineOf(tx, training.organisationId, machine),
      },
    )
    auditChange(null, { link: id, ...more, opensAt, closesAt, machine })
    return { message: `The registration link ${more.name} was created.`, _id: id }
  },

  async change(tx, { actor, body: { link: id, machine, opensAt, closesAt, ...more }, auditChange }) {
    const link = await requireActive(tx, await linkInScope(tx, actor, id))
    requireOrder(
      opensAt === undefined ? (link.opens_at?.toISOString() ?? null) : opensAt,
      closesAt === undefined ? (link.closes_at?.toISOString() ?? null) : closesAt,
    )
    const before = viewOf(seal, publicUrl, link)
    if (actor.role === 'user') refuseOrders(before, { ...more, opensAt, closesAt, machine })
    if (more.seats !== undefined && more.seats < link.seats) await packSeats(tx, link, more.seats)
    await tx
      .updateTable('registration_link')
      .set({
        problem: null,
        name: more.name,
        seats: more.seats,
        domains: more.domains,
        needs_approval: more.needsApproval,
        ...(opensAt !== undefined && { opens_at: dateOf(opensAt) }),
        ...(closesAt !== undefined && { closes_at: dateOf(closesAt) }),
        ...(machine !== undefined && machineColumns(await machineOf(tx, link.organisation_id, machine))),
      })
      .where('id', '=', link.id)
      .execute()
    if (more.seats !== undefined && more.seats < link.seats) await tellIfFull(tx, link.id)
    const after = viewOf(seal, publicUrl, await linkInScope(tx, actor, id))
    auditChange(settingsOf(before), settingsOf(after))
    return { message: `The registration link ${after.name} was changed.` }
  },

  async rotate(tx, { actor, body, auditChange }) {
    const link = await requireActive(tx, await linkInScope(tx, actor, body.link))
    await tx
      .updateTable('registration_link')
      .set(codeColumns(seal, link.id, newCode()))
      .where('id', '=', link.id)
      .execute()
    auditChange({ link: link.id, name: link.name }, { link: link.id, name: link.name })
    return { message: `${link.name} has a new code. The old one is no longer valid.` }
  },

  async revoke(tx, { actor, body, auditChange }) {
    const link = await lockLink(tx, (await linkInScope(tx, actor, body.link)).id)
    if (link.state !== 'revoked') {
      await tx
        .updateTable('registration_link')
        .set({ revoked_at: sql<Date>`portal_now()`, revoked_by: actor.email })
        .where('id', '=', link.id)
        .execute()
    }
    auditChange({ link: link.id, name: link.name, state: link.state }, null)
    return { message: `The registration link ${link.name} was revoked.` }
  },

  async approve(tx, { actor, body, auditChange }) {
    const link = await linkInScope(tx, actor, body.link)
    const seated = await approve(tx, actor, link, body.emails, { seal, jobs })
    auditChange(null, { link: link.name, seated: seated.map(({ email }) => email) })
    const count = seated.length === 1 ? 'One learner has' : `${seated.length} learners have`
    return { message: seated.length === 0 ? 'All of them have a seat already.' : `${count} a seat now.` }
  },

  async decline(tx, { actor, body, auditChange }) {
    const link = await linkInScope(tx, actor, body.link)
    const declined = await decline(tx, actor, link, body.emails, { seal, jobs })
    auditChange({ link: link.name, declined: declined.map(({ email, state }) => ({ email, state })) }, null)
    const count = declined.length === 1 ? 'One registration was' : `${declined.length} registrations were`
    return { message: declined.length === 0 ? 'All of them were declined already.' : `${count} declined.` }
  },
})

export const registrationHandlers = ({
  seal,
  jobs,
  relyingParty,
}: RegistrationDependencies & { readonly relyingParty: RelyingParty | null }): HandlersOf<'registration'> => ({
  async read(db, { query }) {
    const link = await linkByCode(db, query.code)
    return {
      organization: link.organisation,
      trainingName: link.training,
      state: link.state,
      opensAt: link.opens_at?.toISOString() ?? null,
      closesAt: link.closes_at?.toISOString() ?? null,
      timeZone: link.timeZone,
      domains: link.domains,
      needsApproval: link.needs_approval,
      hasMachine: link.with_machine,
      pseudonymsAllowed: link.pseudonymsAllowed,
      passwordsAllowed: link.passwordsAllowed,
    }
  },

  // The handler does the same work for every address, so that the response time reveals nothing. The differences are
  // handled in the job.
  requestAccount: prepared({
    async prepare(db, { body }) {
      const link = await linkByCode(db, body.code)
      refuseOwnSignIn(link)
      refuseClosed(link, true)
      refuseOtherDomain(link, body.email)
      await reserveAttempt(db, laneOf(seal, 'forgotten lane', body.email))
      return link
    },
    async change(tx, { body, auditChange }, link) {
      const request = { request: randomUUID(), link: link.id, email: body.email }
      await jobs.enqueue(tx, registrationAccount, [request], link.id)
      auditChange(null, { link: link.name, trainingName: link.training })
      return { message: REGISTRATION.emailSent }
    },
  }),

  confirmation: prepared({
    prepare: (db, { body }) => requireConfirmation(db, seal, body.token),
    change: async (_tx, _context, { email, link }) => ({
      email,
      organization: link.organisation,
      passkeysAt: relyingParty?.origin ?? null,
    }),
  }),

  beginPasskey: prepared({
    async prepare(db, { body }) {
      const confirmation = await requireConfirmation(db, seal, body.token)
      refuseOwnSignIn(confirmation.link)
      if (relyingParty === null) throw conflict(SECOND_FACTOR.noPasskeys)
      return { confirmation, party: relyingParty }
    },
    async change(tx, { body }, { confirmation, party }) {
      // A passkey contains the ID of its user, so the user must exist before the passkey is created.
      const user = await addUserWithoutSignIn(tx, confirmation)
      const challenge = await createChallenge(tx, { purpose: 'new passkey', user }, hashToken(body.token))
      const options = await registrationOptions(tx, party, { user, email: confirmation.email, challenge })
      return { challenge: challenge.toString('base64url'), options: { ...options } }
    },
  }),

  createAccount: prepared({
    async prepare(db, { body: { token, password, passkey }, closed }) {
      const confirmation = await requireConfirmation(db, seal, token)
      const { email, link } = confirmation
      refuseOwnSignIn(link)
      if (password !== undefined) refuseWeakPassword(password, { email, organisation: link.organisation })
      await requireNewRecipient(db, confirmation)
      const verified = passkey === undefined ? null : await verifyFirstPasskey(db, relyingParty, token, passkey)
      return {
        confirmation,
        passwordHash: password === undefined ? null : await hashPassword(password, closed),
        verified,
      }
    },
    async change(tx, context, { confirmation, passwordHash, verified }) {
      const { link } = confirmation
      const { user, recoveryCodes } = await createUser(tx, confirmation, {
        passwordHash,
        passkey: verified?.credential ?? null,
      })
      if (verified !== null) {
        const isUsable = verified.user === user && (await useChallenge(tx, context.body.passkey!.challenge))
        if (!isUsable) throw wrongPasskey()
        await enqueueFactorNotice(tx, jobs, user, 'passkey added')
      }
      const found = await findSignInUser(tx, { id: user })
      if (found === undefined) throw signedOut()
      context.auditChange(null, {
        email: found.actor.email,
        link: link.name,
        trainingName: link.training,
        methods: [...(passwordHash === null ? [] : ['password']), ...(verified === null ? [] : ['passkey'])],
      })
      const reply = await completeSignIn(tx, seal, context, {
        actor: found.actor,
        passwordHash,
        message: 'Your account was created.',
      })
      return { ...reply, recoveryCodes }
    },
  }),

  async mine(db, { actor, query }) {
    const link = await linkByCode(db, query.code)
    refuseForeigner(link, actor)
    const registration = await registrationOf(db, link.id, actor.id)
    return { ...mineOf(link, registration), hasName: (await nameOf(db, actor.id)) !== null }
  },

  takeSeat: prepared({
    /**
     * Refuses without a lock if all seats are taken, which is the most frequent case when many users register
     * concurrently.
     */
    async prepare(db, { actor, body }) {
      const link = await linkByCode(db, body.code)
      refuseForeigner(link, actor)
      if ((await registrationOf(db, link.id, actor.id)) === null) refuseClosed(link, body.wait === true)
    },
    async change(tx, { actor, body: { code, ...visit }, auditChange }) {
      const { link, registration, isNew } = await takeSeat(tx, actor, code, visit, { seal, jobs })
      auditChange(null, {
        link: link.name,
        linkId: link.id,
        trainingName: link.training,
        state: registration.state,
        isNew,
      })
      return mineOf(link, registration)
    },
  }),
})

/** @throws Problem conflict if the organisation's users sign in only through its provider */
function refuseOwnSignIn({ passwordsAllowed }: Link): void {
  if (!passwordsAllowed)
    throw conflict('This organisation uses its own sign-in. Choose Sign in with your organisation.')
}

/** @throws Problem malformed unless the passkey was created for the challenge of this e-mailed link */
async function verifyFirstPasskey(
  db: Db,
  relyingParty: RelyingParty | null,
  token: string,
  { challenge, attestation }: NonNullable<BodyOf<typeof registration.createAccount>['passkey']>,
) {
  const reserved = await reserveAnswer(db, challenge, { purpose: 'new passkey', boundTo: hashToken(token) })
  if (reserved?.user == null || relyingParty === null) throw wrongPasskey()
  const credential = await verifyNewPasskey(relyingParty, challenge, attestation)
  if (credential === null) throw wrongPasskey()
  return { user: reserved.user, credential }
}

const wrongPasskey = () => new Problem('malformed', 'attestation does not match this challenge.')

function mineOf(link: Link, registration: Registration | null) {
  return {
    state: registration?.state ?? null,
    message: registration === null ? '' : messageOf(registration),
    trainingName: link.training,
    place: registration?.place ?? null,
    hasMachine: link.with_machine,
  }
}

/** Returns the settings of a link for the audit, without its code. */
function settingsOf({
  _id,
  name,
  seats,
  opensAt,
  closesAt,
  domains,
  needsApproval,
  machine,
}: ReturnType<typeof viewOf>) {
  return { link: _id, name, seats, opensAt, closesAt, domains, needsApproval, machine }
}

/** Locks a link. @throws Problem conflict if it was revoked */
async function requireActive(tx: Tx, { id }: Link): Promise<Link> {
  const link = await lockLink(tx, id)
  if (link.state === 'revoked') throw conflict('This link was revoked. Create a new one.')
  return link
}

/**
 * Moves users to seats with lower numbers, so that the number of seats can be reduced. @throws Problem conflict if too
 * many seats are taken
 */
async function packSeats(tx: Tx, link: Link, seats: number): Promise<void> {
  if (link.taken > seats) {
    throw conflict(
      `${link.taken} seats are taken. Decline registrations first, or choose at least ${link.taken} seats.`,
    )
  }
  const { rows: moved } = await selectSeatsAbove(tx, link.id, seats)
  for (const { user_id } of moved) {
    await moveToLowestSeat(tx, seats, link.id, user_id)
  }
}

const instructorOrders = () =>
  new Problem(
    'forbidden',
    'Each seat with a machine is an order, and instructors do not order. Ask an admin to choose the machine and the seats.',
  )

type Changes = Omit<BodyOf<typeof registrationLink.change>, 'link'>

/**
 * Throws if an instructor changes the machine of the seats, or lets more users take a seat with a machine: more seats or
 * domains, no approval, or a longer time.
 * @throws Problem forbidden
 */
function refuseOrders(link: RegistrationLink, changes: Changes): void {
  const { machine, seats, domains, needsApproval, opensAt, closesAt } = { ...link, ...definedOf(changes) }
  if (!isDeepStrictEqual({ ...machine }, { ...link.machine })) throw instructorOrders()
  if (link.machine === null) return
  if (seats > link.seats) throw instructorOrders()
  const isWider =
    (link.domains.length > 0 && (domains.length === 0 || domains.some((domain) => !link.domains.includes(domain)))) ||
    (link.needsApproval && !needsApproval) ||
    (link.opensAt !== null && (opensAt === null || new Date(opensAt) < new Date(link.opensAt))) ||
    (link.closesAt !== null && (closesAt === null || new Date(closesAt) > new Date(link.closesAt)))
  if (isWider)
    throw new Problem(
      'forbidden',
      'Each seat with a machine is an order, and instructors do not order. Ask an admin to let more learners register.',
    )
}

const definedOf = (changes: Changes): Partial<Changes> =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))

const dateOf = (instant: string | null): Date | null => (instant === null ? null : new Date(instant))

/** @throws Problem invalid unless the link opens before it closes */
function requireOrder(opensAt: string | null, closesAt: string | null): void {
  if (opensAt === null || closesAt === null || new Date(opensAt) < new Date(closesAt)) return
  throw new Problem('invalid', 'closesAt must be after opensAt.')
}

/** @throws Problem notFound if the template is not assigned to the organisation */
async function machineOf(
  tx: Tx,
  organisation: OrganisationId,
  machine: BodyOf<typeof registrationLink.create>['machine'],
) {
  if (machine === null) return null
  const { templateName, allocatedHours: minutes, guacamole } = machine
  return { template: await assignedTemplate(tx, organisation, templateName), minutes, guacamole }
}

async function assignedTemplate(tx: Tx, organisation: OrganisationId, name: string): Promise<TemplateId> {
  const template = await tx
    .selectFrom('template')
    .innerJoin('template_assignment', 'template_assignment.template_id', 'template.id')
    .select('template.id')
    .where('template.name', '=', name)
    .where('template_assignment.organisation_id', '=', organisation)
    .forShare('template')
    .executeTakeFirst()
  if (template === undefined) throw notFound('template')
  return template.id
}
