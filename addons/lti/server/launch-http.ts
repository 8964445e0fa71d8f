import { sql } from 'kysely'
import { LMS } from '../contract/lms-words.ts'
import type { LmsPlatformId } from '@trainyard/platform/contract/words/ids.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { type HandlersOf, prepared } from '@trainyard/platform/server/core/handler.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import { hashToken, SIGN_IN_SECONDS } from '@trainyard/platform/server/core/tokens.ts'
import { type Lms, LmsError } from './lms-provider.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { emit } from '@trainyard/platform/server/core/events.ts'
import { systemLinked } from '@trainyard/users/server/sign-in-ways.ts'
import { completeSignIn } from '@trainyard/users/server/complete-sign-in.ts'
import { requireRecentSession } from '@trainyard/users/server/sessions.ts'
import { applyCourseRole, findOrCreateLmsUser, hasLinkableUser, linkUser } from './lms-user.ts'
import { readLaunch } from './claims.ts'
import { applyLaunch, applyLinkedUser } from './course-members.ts'
import { publicKeysOf, signingKeyOf } from './keys.ts'
import {
  consumeLaunch,
  HAND_OVER_SECONDS,
  handOverTicket,
  newSecret,
  nonceOf,
  readTicket,
  recordCourse,
  requireDeployment,
  storeLaunch,
  storeTicket,
  type Ticket,
  TICKET_SECONDS,
  useTicket,
  nameLms,
} from './launch.ts'
import { activePlatform, addressesOf } from './platform.ts'
import { completeRegistration, openRegistration } from './register.ts'
import { recordActivityLaunch } from './scores.ts'

export interface LaunchDependencies {
  readonly seal: Seal
  readonly lms: Lms
  readonly publicUrl: string
  readonly jobs: JobQueue
}

export const ltiLaunchHandlers = ({ seal, lms, publicUrl, jobs }: LaunchDependencies): HandlersOf<'ltiLaunch'> => ({
  keys: async (db, { query }) => ({ keys: await publicKeysOf(db, query.platform as LmsPlatformId) }),

  async start(tx, { body, setLaunchCookie }) {
    const platform = await activePlatform(tx, body.platform)
    if (body.issuer !== platform.issuer || (body.clientId ?? platform.clientId) !== platform.clientId) {
      throw new Problem('forbidden', 'This address belongs to another LMS. Ask your administrator.')
    }
    const { storageTarget } = body
    // The state contains the name of the LMS's storage frame. The page that receives the token reads the proof from
    // this frame.
    const state =
      storageTarget === null ? newSecret() : `${newSecret()}.${Buffer.from(storageTarget).toString('base64url')}`
    const proof = newSecret()
    await storeLaunch(tx, platform, { state, proof })
    if (storageTarget === null) setLaunchCookie(state, proof)
    const nonce = nonceOf(seal, state)
    // The address may already have a query, for example in an LMS with several tenants.
    const address = new URL(platform.authorizationUrl)
    const query = {
      scope: 'openid',
      response_type: 'id_token',
      response_mode: 'form_post',
      prompt: 'none',
      client_id: platform.clientId,
      redirect_uri: addressesOf(publicUrl, platform.id).redirect,
      login_hint: body.loginHint,
      ...(body.messageHint !== null && { lti_message_hint: body.messageHint }),
      state,
      nonce,
    }
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
    return { address: address.href, state, proof: storageTarget === null ? null : proof }
  },

  finish: prepared({
    async prepare(db, { body, launchCookie, setRefusalSubject, waitFor }) {
      const platform = await activePlatform(db, body.platform)
      setRefusalSubject({ organisation: platform.organisation, email: null })
      const state = body.stateToken
      const proofs = [launchCookie(state), body.proof].filter((proof) => typeof proof === 'string')
      await consumeLaunch(db, platform, { state, proofs })
      if (body.idToken === null)
        throw new Problem('forbidden', `The LMS refused the launch: ${body.error ?? 'no reason'}`)
      waitFor(platform.organisation)
      const claims = await lms.verifyIdToken(platform, body.idToken).catch(rethrowAsProblem)
      if (claims['nonce'] !== nonceOf(seal, state)) throw new Problem('forbidden', LMS.expired)
      const launch = readLaunch(claims, new URL(publicUrl).origin)
      await requireDeployment(db, platform, launch.deployment)
      const course = await recordCourse(db, platform, launch)
      if (course.training === null) throw new Problem('forbidden', LMS.notConnected(launch.course.title))
      const proof = launchCookie(state) === undefined ? null : newSecret()
      return { platform, launch, course: { ...course, training: course.training }, proof }
    },
    async change(tx, { body, setLaunchCookie }, { platform, launch, course, proof }) {
      setLaunchCookie(body.stateToken, null)
      await tx
        .updateTable('lms_platform')
        .set({ worked_at: sql<Date>`portal_now()` })
        .where('id', '=', platform.id)
        .execute()
      const ticket = await storeTicket(tx, platform, launch, { course: course.id, proof })
      if (proof !== null) setLaunchCookie(ticket, proof, TICKET_SECONDS)
      const { name: title } = await tx
        .selectFrom('training')
        .select('name')
        .where('id', '=', course.training)
        .executeTakeFirstOrThrow()
      const identity = {
        organisation_id: platform.organisation,
        issuer: platform.issuer,
        subject: launch.subject,
      }
      if (launch.link !== null) {
        const scope = { id: course.id, organisation: platform.organisation }
        await recordActivityLaunch(
          tx,
          scope,
          launch.link,
          launch.isInstructor || !launch.takesSeat ? null : launch.subject,
        )
      }
      if (launch.deepLink !== null) return { outcome: 'choosing' as const, ticket, title }
      const { email } = launch
      if (email !== null && (await hasLinkableUser(tx, identity, email)))
        return { outcome: 'linkable' as const, ticket, title, email }
      return { outcome: 'entered' as const, ticket, title }
    },
  }),

  async enter(tx, context) {
    const ticket = await useTicket(tx, context.body.ticket, context.launchCookie)
    context.setLaunchCookie(context.body.ticket, null)
    // A ticket of a deep linking request opens no session.
    if (ticket.return_url !== null) throw new Problem('forbidden', LMS.ticket)
    const actor = await findOrCreateLmsUser(tx, ticket)
    const target = await openTarget(tx, jobs, actor, ticket)
    const entered = await completeSignIn(tx, seal, context, {
      actor,
      passwordHash: null,
      message: 'Login successful.',
      // The LMS authenticated the user, so the session cannot change sign-in methods.
      authenticated: { by: 'system', usedSecondFactor: false },
    })
    await nameLms(tx, hashToken(entered.uid), ticket.platform_id)
    return { ...entered, target }
  },

  handOver: async (tx, { body, launchCookie, setLaunchCookie }) => {
    const ticket = await useTicket(tx, body.ticket, launchCookie)
    setLaunchCookie(body.ticket, null)
    const { email } = ticket
    // A user of the LMS who can be linked to a portal user logs in as that user first.
    const isLinkable = email !== null && (await hasLinkableUser(tx, ticket, email))
    return { ticket: await handOverTicket(tx, ticket, isLinkable ? SIGN_IN_SECONDS : HAND_OVER_SECONDS) }
  },

  async link(tx, { actor, sessionHash, body, launchCookie }) {
    // A concurrent change of the password ends this session or waits, and then requires another log-in.
    await tx.selectFrom('portal_user').select('id').where('id', '=', actor.id).forShare().execute()
    await requireRecentSession(tx, sessionHash!)
    const ticket = await useTicket(tx, body.ticket, launchCookie)
    await linkUser(tx, actor, ticket)
    const told = 'Your account was linked to an account of your LMS, which now opens it.'
    await emit(tx, systemLinked, [{ user: actor.id, jobs, change: 'LMS linked', told }])
    await applyLinkedUser(tx, jobs, ticket)
    return { message: 'Your account is linked to your LMS account.', target: await openTarget(tx, jobs, actor, ticket) }
  },

  choose: prepared({
    async prepare(db, { body, launchCookie }) {
      const ticket = await readTicket(db, body.ticket, launchCookie)
      const { return_url: returnUrl, return_data: data } = ticket
      if (returnUrl === null) throw new Problem('forbidden', LMS.ticket)
      const platform = await activePlatform(db, ticket.platform_id)
      const { deployment_id: deployment } = await db
        .selectFrom('lms_course')
        .select('deployment_id')
        .where('id', '=', ticket.course_id)
        .executeTakeFirstOrThrow()
      const key = await signingKeyOf(db, seal, platform.id)
      const { target } = addressesOf(publicUrl, platform.id)
      const item = { title: body.title, url: target, custom: { trainyard_view: body.view } }
      const jwt = await lms.signContent(platform, key, { deployment, data, item })
      return { returnUrl, jwt }
    },
    async change(tx, { body, launchCookie }, reply) {
      await useTicket(tx, body.ticket, launchCookie)
      return reply
    },
  }),

  register: prepared({
    async prepare(db, { body, setRefusalSubject, waitFor }) {
      const platform = await openRegistration(db, body.code)
      setRefusalSubject({ organisation: platform.organisation, email: null })
      const { configuration, token } = body
      const refusal = lms.addressRefusal(configuration)
      if (refusal !== null) throw new Problem('malformed', `configuration: ${refusal}`)
      const addresses = addressesOf(publicUrl, platform.id)
      waitFor(platform.organisation)
      return lms.register({ configuration, token, addresses }).catch(rethrowAsProblem)
    },
    async change(tx, { body }, registered) {
      await completeRegistration(tx, hashToken(body.code), registered)
      return { message: 'The LMS is connected. Activate the tool in the LMS, then add it to a course.' }
    },
  }),
})

/**
 * Applies the user's role in the course and returns the path of the page to show. Reads the settings of the LMS again,
 * and the role of a user whom the LMS has listed as a learner since the launch.
 * @throws Problem forbidden
 */
async function openTarget(
  tx: Tx,
  jobs: JobQueue,
  actor: { readonly id: Parameters<typeof applyCourseRole>[1] },
  ticket: Ticket,
) {
  const platform = await activePlatform(tx, ticket.platform_id)
  const course = await tx
    .selectFrom('lms_course')
    .innerJoin('training', 'training.id', 'lms_course.training_id')
    .innerJoin('lms_deployment', (join) =>
      join
        .onRef('lms_deployment.platform_id', '=', 'lms_course.platform_id')
        .onRef('lms_deployment.deployment_id', '=', 'lms_course.deployment_id')
        .on('lms_deployment.accepted_at', 'is not', null),
    )
    .select(['training.id', 'training.name', 'training.removed_at'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('lms_member')
          .select('subject')
          .whereRef('lms_member.course_id', '=', 'lms_course.id')
          .where('lms_member.subject', '=', ticket.subject)
          .where('lms_member.role', '=', 'learner')
          .where('lms_course.roster_read_at', '>', ticket.issued_at),
      ).as('demoted'),
    )
    .where('lms_course.id', '=', ticket.course_id)
    .executeTakeFirst()
  if (course === undefined || course.removed_at !== null)
    throw new Problem('forbidden', LMS.notConnected('of this activity'))
  const { organisation_id: organisation } = ticket
  const isInstructor = ticket.is_instructor && !course.demoted
  const { endedRole } = await applyCourseRole(tx, actor.id, {
    training: course.id,
    organisation,
    isInstructor,
    platform: platform.name,
  })
  const { course_id, subject, name } = ticket
  // An instructor who switches to the role of a learner, as Moodle allows, sees the course without a seat in it.
  if (ticket.takes_seat && !endedRole)
    await applyLaunch(tx, jobs, { course: course_id, organisation, subject, name, isInstructor })
  // An instructor sees the class, unless the activity is a machine.
  const page = isInstructor && ticket.view !== 'machine' ? '/vm/class' : '/vm/vmdetails'
  return `${page}?training=${encodeURIComponent(course.name)}`
}

function rethrowAsProblem(error: unknown): never {
  if (!(error instanceof LmsError)) throw error
  throw error.kind === 'unreachable'
    ? new Problem('unavailable', `The LMS is not available right now: ${error.message} Please try again shortly.`, 30)
    : new Problem('forbidden', error.message)
}
