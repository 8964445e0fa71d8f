import { sql } from 'kysely'
import { LTI_PAGE } from '../contract/lms-words.ts'
import type { LmsCourseId, LmsLinkId, LmsPlatformId, OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { lms as calls } from '../contract/lms.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { type HandlersOf, prepared } from '@trainyard/platform/server/core/handler.ts'
import { conflict, notFound, Problem } from '@trainyard/platform/server/core/errors.ts'
import { LmsError } from './lms-provider.ts'
import { lockOrganisation, organisationInScope } from '@trainyard/organisations/server/scope.ts'
import { endRolesWithoutCourse, endUnlistedRoles } from './lms-user.ts'
import { addKey, generateKey, signingKeyOf } from './keys.ts'
import { endAccessThrough, newSecret } from './launch.ts'
import type { LaunchDependencies } from './launch-http.ts'
import { listPlatforms } from './list.ts'
import { activePlatform, addressesOf } from './platform.ts'
import { acceptDeployments, registrationCode, saveSettings, settingsColumns } from './register.ts'

const PLATFORMS_MAX = 50

export const lmsHandlers = ({ seal, lms, publicUrl }: Omit<LaunchDependencies, 'jobs'>): HandlersOf<'lms'> => {
  const refuseAddresses = (given: Readonly<Record<string, string>>) => {
    for (const [field, address] of Object.entries(given)) {
      const refusal = lms.addressRefusal(address)
      if (refusal !== null) throw new Problem('malformed', `${field}: ${refusal}`)
    }
  }
  const linkReply = (
    platform: { id: LmsPlatformId; registration_expires_at: Date | null },
    code: string,
  ): ReplyOf<typeof calls.create> => ({
    message: 'Enter the link in your LMS. It can be used once.',
    id: platform.id,
    registrationUrl: `${publicUrl}${LTI_PAGE}/register/${code}`,
    expires: platform.registration_expires_at!.toISOString(),
  })

  return {
    async list(db, { actor, query }) {
      const { id } = await organisationInScope(db, actor, query.organization)
      return { platforms: await listPlatforms(db, id, publicUrl) }
    },

    create: prepared({
      async prepare(db, { actor, body }) {
        const { id } = await organisationInScope(db, actor, body.organization)
        await requireRoom(db, id, body.name)
        // The key takes far more time than the refusals of `requireRoom`.
        return generateKey()
      },
      async change(tx, { actor, body }, key) {
        const { id: organisation } = await organisationInScope(tx, actor, body.organization)
        await lockOrganisation(tx, organisation, 'change')
        await requireRoom(tx, organisation, body.name)
        const code = newSecret()
        const added = await tx
          .insertInto('lms_platform')
          .values({ organisation_id: organisation, name: body.name, ...registrationCode(code) })
          .returning(['id', 'registration_expires_at'])
          .executeTakeFirstOrThrow()
        await addKey(tx, seal, { id: added.id, organisation }, key)
        return linkReply(added, code)
      },
    }),

    async renewLink(tx, { actor, body }) {
      const { id } = await lockPlatform(tx, actor, body.id)
      const code = newSecret()
      const renewed = await tx
        .updateTable('lms_platform')
        .set(registrationCode(code))
        .where('id', '=', id)
        .where('issuer', 'is', null)
        .returning(['id', 'registration_expires_at'])
        .executeTakeFirst()
      if (renewed === undefined) throw conflict('This LMS is already set up. Add another one to register again.')
      return linkReply(renewed, code)
    },

    async save(tx, { actor, body, auditChange }) {
      const platform = await lockPlatform(tx, actor, body.id)
      const { issuer, authorizationUrl, tokenUrl, keySetUrl } = body
      refuseAddresses({ issuer, authorizationUrl, tokenUrl, keySetUrl })
      await saveSettings(tx, platform, body)
      await rename(tx, platform, body.name)
      const ended = await tx
        .deleteFrom('lms_deployment')
        .where('platform_id', '=', platform.id)
        .where('accepted_at', 'is not', null)
        .where(sql<boolean>`deployment_id <> all(${body.deployments}::text[])`)
        .returning('deployment_id')
        .execute()
      await acceptDeployments(tx, platform, body.deployments)
      const isSame =
        platform.issuer === issuer && platform.client_id === body.clientId && platform.key_set_url === keySetUrl
      if (ended.length > 0 || !isSame) await endAccessThrough(tx, platform.id)
      // The courses of a deployment are deleted with it.
      if (ended.length > 0) await endRolesWithoutCourse(tx, platform.organisation_id)
      auditChange(settingsIn(platform), settingsIn({ name: body.name, ...settingsColumns(body) }))
      return { message: `${body.name} was saved. Test the connection before your learners use it.` }
    },

    async suspend(tx, { actor, body }) {
      const { id, name } = await lockPlatform(tx, actor, body.id)
      await tx
        .updateTable('lms_platform')
        .set({ suspended_at: body.suspended ? sql<Date>`coalesce(suspended_at, portal_now())` : null })
        .where('id', '=', id)
        .execute()
      if (body.suspended) await endAccessThrough(tx, id)
      return { message: body.suspended ? `${name} is suspended.` : `${name} is connected again.` }
    },

    async remove(tx, { actor, body }) {
      const { id, name } = await lockPlatform(tx, actor, body.id)
      const connected = await tx
        .selectFrom('lms_course')
        .select('title')
        .where('platform_id', '=', id)
        .where('training_id', 'is not', null)
        .executeTakeFirst()
      if (connected !== undefined) {
        throw conflict(`The course ${connected.title} is connected to a training. Disconnect its courses first.`)
      }
      await tx.deleteFrom('lms_platform').where('id', '=', id).execute()
      return { message: `${name} was removed. Its users keep their machines.` }
    },

    async decideDeployment(tx, { actor, body }) {
      const platform = await lockPlatform(tx, actor, body.id)
      const { deployment } = body
      const found = tx
        .selectFrom('lms_deployment')
        .select('deployment_id')
        .where('platform_id', '=', platform.id)
        .where('deployment_id', '=', deployment)
      if ((await found.executeTakeFirst()) === undefined) throw notFound('deployment')
      if (body.accepted) {
        await acceptDeployments(tx, platform, [deployment])
        return { message: `The deployment ${deployment} is accepted.` }
      }
      await tx
        .deleteFrom('lms_deployment')
        .where('platform_id', '=', platform.id)
        .where('deployment_id', '=', deployment)
        .execute()
      await endAccessThrough(tx, platform.id)
      await endRolesWithoutCourse(tx, platform.organisation_id)
      return { message: `The deployment ${deployment} was removed.` }
    },

    async connectCourse(tx, { actor, body, auditChange }) {
      const course = await tx
        .selectFrom('lms_course')
        .select(['id', 'title', 'organisation_id', 'training_id'])
        .where('id', '=', body.id as LmsCourseId)
        .$if(actor.role !== 'superadmin', (q) => q.where('organisation_id', '=', actor.organisation!.id))
        .forUpdate()
        .executeTakeFirst()
      if (course === undefined) throw notFound('course')
      const training =
        body.trainingName === null
          ? null
          : await tx
              .selectFrom('training')
              .select('id')
              .where('organisation_id', '=', course.organisation_id)
              .where('name', '=', body.trainingName)
              .where('removed_at', 'is', null)
              .executeTakeFirst()
      if (training === undefined) throw notFound('training')
      // Another course of the training may remain, which lists other instructors.
      if (training?.id !== course.training_id) await endUnlistedRoles(tx, course.id, [])
      await tx
        .updateTable('lms_course')
        .set({
          training_id: training?.id ?? null,
          roster_due_at: sql<Date | null>`case when memberships_url is not null then portal_now() end`,
        })
        .where('id', '=', course.id)
        .execute()
      await endRolesWithoutCourse(tx, course.organisation_id)
      auditChange({ training: course.training_id }, { training: training?.id ?? null })
      return {
        message:
          body.trainingName === null
            ? `${course.title} is no longer connected to a training.`
            : `${course.title} is connected to ${body.trainingName}.`,
      }
    },

    async setScore(tx, { actor, body, auditChange }) {
      const link = await tx
        .selectFrom('lms_link')
        .select(['id', 'title', 'score_by', 'score_minutes'])
        .where('id', '=', body.id as LmsLinkId)
        .$if(actor.role !== 'superadmin', (q) => q.where('organisation_id', '=', actor.organisation!.id))
        .forUpdate()
        .executeTakeFirst()
      if (link === undefined) throw notFound('activity')
      if (body.points && body.minutes !== null)
        throw new Problem('invalid', 'Choose active minutes or points, not both.')
      const by = body.points ? 'points' : body.minutes === null ? null : 'minutes'
      await tx
        .updateTable('lms_link')
        .set({
          score_by: by,
          score_minutes: body.minutes,
          score_due_at: by === null ? null : sql<Date>`portal_now()`,
          score_attempts: 0,
          score_problem: null,
        })
        .where('id', '=', link.id)
        .execute()
      auditChange({ by: link.score_by, minutes: link.score_minutes }, { by, minutes: body.minutes })
      return {
        message: body.points
          ? `${link.title}: the points of the lab guide give the score.`
          : body.minutes === null
            ? `No more scores are sent for ${link.title}. Scores in the LMS stay.`
            : `${link.title}: ${body.minutes} active minutes give the full score.`,
      }
    },

    test: prepared({
      async prepare(db, { actor, body }) {
        const { id } = await platformInScope(db, actor, body.id).executeTakeFirst().then(orNotFound)
        const platform = await activePlatform(db, id)
        const found: string[] = []
        try {
          const keys = await lms.countKeys(platform)
          found.push(`The LMS publishes ${keys === 1 ? '1 key' : `${keys} keys`}.`)
          const key = await signingKeyOf(db, seal, id)
          await lms.checkToken({ ...platform, key, ownKeySetUrl: addressesOf(publicUrl, id).keySet })
          found.push('The LMS accepts the portal’s key and issues access tokens for rosters and grades.')
          return { found, problem: null }
        } catch (error) {
          if (!(error instanceof LmsError)) throw error
          return { found, problem: error.message }
        }
      },
      change: async (_tx, _context, reply) => reply,
    }),
  }
}

const platformInScope = (db: Db, actor: Actor, id: string) => {
  const found = db
    .selectFrom('lms_platform')
    .selectAll()
    .where('id', '=', id as LmsPlatformId)
  return actor.role === 'superadmin' ? found : found.where('organisation_id', '=', actor.organisation!.id)
}

function orNotFound<Row>(row: Row | undefined): Row {
  if (row === undefined) throw notFound('LMS')
  return row
}

/** @throws Problem notFound, also for an LMS of another organisation */
const lockPlatform = (tx: Tx, actor: Actor, id: string) =>
  platformInScope(tx, actor, id).forUpdate().executeTakeFirst().then(orNotFound)

async function rename(tx: Tx, platform: Awaited<ReturnType<typeof lockPlatform>>, name: string): Promise<void> {
  await requireFreeName(tx, platform.organisation_id, name, platform.id)
  await tx.updateTable('lms_platform').set({ name }).where('id', '=', platform.id).execute()
}

/** @throws Problem conflict if the organisation cannot add an LMS with this name */
async function requireRoom(db: Db, organisation: OrganisationId, name: string): Promise<void> {
  const { count } = await db
    .selectFrom('lms_platform')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('organisation_id', '=', organisation)
    .executeTakeFirstOrThrow()
  if (count >= PLATFORMS_MAX) throw conflict(`The organisation has ${PLATFORMS_MAX} LMSs. Remove one first.`)
  await requireFreeName(db, organisation, name)
}

/** @throws Problem conflict */
async function requireFreeName(
  db: Db,
  organisation: OrganisationId,
  name: string,
  except?: LmsPlatformId,
): Promise<void> {
  const same = await db
    .selectFrom('lms_platform')
    .select('id')
    .where('organisation_id', '=', organisation)
    .where(sql<boolean>`id is distinct from ${except ?? null}::uuid`)
    .where(sql<boolean>`comparison_key(name) = comparison_key(${name})`)
    .executeTakeFirst()
  if (same !== undefined) throw conflict(`There is already an LMS with the name ${name}.`)
}

interface SettingsColumns {
  readonly name: string
  readonly issuer: string | null
  readonly client_id: string | null
  readonly authorization_url: string | null
  readonly token_url: string | null
  readonly token_audience: string | null
  readonly key_set_url: string | null
}

const settingsIn = ({
  name,
  issuer,
  client_id,
  authorization_url,
  token_url,
  token_audience,
  key_set_url,
}: SettingsColumns) => ({ name, issuer, client_id, authorization_url, token_url, token_audience, key_set_url })
