import { sql } from 'kysely'
import type { LmsPlatformId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { addKey, generateKey } from './keys.ts'
import { addressesOf } from './platform.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { insertDemoIdentity, insertDemoActivity, DEMO_LEARNER } from './queries.ts'

const PLATFORM = '6f1d2c9a-4b7e-4f0c-8a35-2d9e1b7c4a60' as LmsPlatformId
const CLIENT = 'globex-demo'
const DEPLOYMENT = '1'
const COURSE = { id: 'LIN101', title: 'Linux for Administrators' }
const ACTIVITY = { id: 'linux-lab', title: 'Linux lab', maximum: 100 }
const TRAINING = 'Linux 101'
const ADMIN = 'admin@globex.test'

const MINUTES_FOR_FULL_SCORE = 60

const MEMBERS = [
  { id: '20', name: 'Grace Lindqvist', roles: ['http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor'] },
  { id: DEMO_LEARNER.subject, name: 'Leo Fernandes' },
  { id: '22', name: 'Maya Iyer', email: 'maya.iyer@globex.test' },
  { id: '23', name: 'नीला राव' },
  { id: '24', name: 'عمر حداد' },
]

interface DemoAddresses {
  readonly emulatorUrl: string
  readonly publicUrl: string
}

/**
 * Connects the organisation Globex Academy with the emulated LMS. The LMS has a course, whose roster the training Linux
 * 101 follows, an activity, a learner who is a user, and a score.
 */
export async function addDemoLms(db: Db, seal: Seal, { emulatorUrl, publicUrl }: DemoAddresses): Promise<void> {
  const { login, redirect, keySet, target } = addressesOf(publicUrl, PLATFORM)
  const post = async (path: string, body: object): Promise<Response> => {
    const reply = await fetch(`${emulatorUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!reply.ok) throw new Error(`The emulator rejected the demo's LMS: ${reply.status} ${await reply.text()}`)
    return reply
  }
  await post('/_lti/members', { course: COURSE.id, title: COURSE.title, members: MEMBERS })
  const created = await post('/_lti/tools', {
    tool: {
      clientId: CLIENT,
      deployment: DEPLOYMENT,
      name: 'Trainyard',
      loginUrl: login,
      redirectUrls: [redirect],
      keySetUrl: keySet,
      targetUrl: target,
    },
    activity: { ...ACTIVITY, course: COURSE.id },
  })
  const { lineItem } = (await created.json()) as { lineItem: string }
  const key = await generateKey()
  const issuer = `${emulatorUrl}/lms`
  await db.transaction().execute(async (tx) => {
    const { organisation_id, training_id, template_id } = await tx
      .selectFrom('portal_user as u')
      .innerJoin('training as t', 't.organisation_id', 'u.organisation_id')
      .innerJoin('template_assignment as a', 'a.organisation_id', 't.organisation_id')
      .innerJoin('template', 'template.id', 'a.template_id')
      .select(['t.organisation_id', 't.id as training_id', 'a.template_id'])
      .where('u.email', '=', ADMIN)
      .where('t.name', '=', TRAINING)
      .where('template.os', '=', 'Linux')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('lms_platform')
      .values({
        id: PLATFORM,
        organisation_id,
        name: 'Emulated LMS',
        issuer,
        client_id: CLIENT,
        authorization_url: `${issuer}/auth`,
        token_url: `${issuer}/token`,
        key_set_url: `${issuer}/keys`,
      })
      .execute()
    await addKey(tx, seal, { id: PLATFORM, organisation: organisation_id }, key)
    const deployment = { platform_id: PLATFORM, organisation_id, deployment_id: DEPLOYMENT }
    await tx
      .insertInto('lms_deployment')
      .values({ ...deployment, accepted_at: sql<Date>`portal_now()` })
      .execute()
    const course = await tx
      .insertInto('lms_course')
      .values({
        ...deployment,
        context_id: COURSE.id,
        title: COURSE.title,
        training_id,
        memberships_url: `${issuer}/courses/${COURSE.id}/members`,
        roster_due_at: sql<Date>`portal_now()`,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('roster')
      .values({
        organisation_id,
        training_id,
        kind: 'lti_course',
        external_key: course.id,
        name: COURSE.title,
        machine_rule: 'on_first_launch',
        template_id,
        guacamole: true,
        seats: 10,
        grace_days: 14,
        made_by: ADMIN,
      })
      .execute()
    await insertDemoIdentity(tx, issuer)
    const link = await tx
      .insertInto('lms_link')
      .values({
        course_id: course.id,
        organisation_id,
        resource_link_id: ACTIVITY.id,
        title: ACTIVITY.title,
        line_item_url: lineItem,
        score_by: 'minutes',
        score_minutes: MINUTES_FOR_FULL_SCORE,
        score_due_at: sql<Date>`portal_now()`,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('lms_score')
      .values({ link_id: link.id, organisation_id, subject: DEMO_LEARNER.subject })
      .execute()
    await insertDemoActivity(tx, training_id)
  })
}
