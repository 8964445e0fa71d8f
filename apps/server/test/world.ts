import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { OrganisationId, WebhookEndpointId } from '@trainyard/platform/contract/words/ids.ts'
import type { Role } from '@trainyard/platform/contract/words/role.ts'
import { ROLES } from '@trainyard/platform/contract/words/role.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { minimalGuide } from '@trainyard/guides/test/minimal-guide.ts'
import { readGuide } from '@trainyard/guides/server/format/read-guide.ts'
import { storeVersion } from '@trainyard/guides/server/store.ts'
import { addKey, generateKey } from '@trainyard/lti/server/keys.ts'
import { createNetwork } from '@trainyard/private-networks/server/create.ts'
import { findSignInUser } from '@trainyard/users/server/sign-in-user.ts'
import { codeColumns, newCode } from '@trainyard/registration/server/link.ts'
import { orderMachines } from '@trainyard/machines/server/order/order.ts'
import { addInvoice } from '@trainyard/invoices/test/tax-documents.ts'
import { webhookSecretContext } from '@trainyard/webhooks/server/encryption-context.ts'
import { setUpProvider } from '@trainyard/sso/test/identity-providers.ts'
import type { TestPortal } from '@trainyard/platform/test/portal.ts'
import {
  ABSENT_ID,
  addInstructorTo,
  createSubjects as createSubjectsOfCore,
  forEachRole,
  MARKER,
  PEOPLE,
  SECOND_SUPERADMIN,
  type Subject as SubjectOfCore,
  type Subjects,
} from '@trainyard/platform/test/world.ts'
import { insertTestEvent } from '@trainyard/webhooks/server/queries.ts'

/** Values to which a call of any module can refer. */
export interface Subject extends SubjectOfCore {
  readonly network: string
  readonly weekly: string
  readonly classSession: string
  /** ID of a passkey for each role: of the user with this role, of another user, or of no user. */
  readonly passkeys: Readonly<Record<Role, string>>
  /** ID of a personal API key for each role: of the user with this role, of another user, or of no user. */
  readonly apiKeys: Readonly<Record<Role, string>>
  /** Requests: a learner's for hours, and an admin's for a quota. For other roles they do not exist. */
  readonly changeRequests: Readonly<Record<Role, string>>
  /** An invoice, with the IRN that the e-invoice portal would assign. */
  readonly document: { readonly number: string; readonly irn: string }
  readonly budgetAlert: string
  readonly paymentRequest: string
  readonly statusRequest: string
  readonly labImport: string
  readonly importedLab: string
  /** A group of the identity provider, which the training follows, with a pending removal. */
  readonly group: string
  /** Three IDs: an LMS, an LMS that is not set up yet, and a course of the first LMS. */
  readonly lms: string
  readonly lmsWaiting: string
  readonly lmsCourse: string
  readonly lmsLink: string
  readonly scimToken: string
  /** An endpoint with a delivery, and a second endpoint. */
  readonly webhook: { readonly endpoint: string; readonly delivery: string; readonly second: string }
  /** A link at which the learner waits for approval. */
  readonly registrationLink: string
  /** A guide that the training uses and the learner has opened, with a second version, a draft. */
  readonly guide: string
}

/** Two instructors: one of the training of the own subject, and one of another training of the same organisation. */
export const INSTRUCTORS = { own: 'instructor@own.test', other: 'other-instructor@own.test' } as const
/** Name of the other training, and price of all machines, which no reply to an instructor of the first may contain. */
export const CONFIDENTIAL = { training: 'confidential course', paise: 98_765, rupees: '987.65' } as const

/** Inserts a learner's request for hours and an admin's for a quota. */
async function addChangeRequests(
  tx: Tx,
  organisation: OrganisationId,
  label: string,
): Promise<Subject['changeRequests']> {
  const { rows } = await sql<{ id: string; kind: string }>`
    insert into change_request (organisation_id, kind, training_id, machine_id, minutes, reason, asked_by)
    select m.organisation_id, kind, training_id, case kind when 'hours' then m.id end, 60, ${label}, u.id
    from machine m join portal_user u on u.organisation_id = m.organisation_id
      join (values ('hours', 'user'), ('quota', 'admin')) as k (kind, role) on k.role = u.role
        and (u.role = 'admin' or u.email = m.email)
    where m.organisation_id = ${organisation} returning id, kind`.execute(tx)
  const idOf = (kind: string) => rows.find((row) => row.kind === kind)!.id
  return { ...forEachRole(() => ABSENT_ID), user: idOf('hours'), admin: idOf('quota') }
}

/** Inserts an import with a lab that was read from a file. */
async function addLabImport(
  tx: Tx,
  organisation: OrganisationId,
  label: string,
): Promise<Pick<Subject, 'labImport' | 'importedLab'>> {
  const key = `file:${label}/${label} lab`
  const lab = {
    key,
    name: `${label} lab`,
    title: `${label} lab`,
    location: null,
    state: null,
    isFailed: false,
    size: 'Basic',
    capacity: 1,
    os: 'Linux',
    image: { kind: 'named', name: label },
    quotaMinutes: 600,
    idle: null,
    openAccess: false,
    registrationCode: null,
    roster: 'manual',
    sharesPassword: false,
    users: [{ email: `pupil@${label}.test`, displayName: label, isRegistered: false, usedMinutes: 0, extraMinutes: 0 }],
    schedules: [],
    owners: [],
    unread: [],
  } as const
  const { rows } = await sql<{ labImport: string; importedLab: string }>`
    with made as (
      insert into lab_import (organisation_id, kind, name, made_by, listed, labs_found, read_at)
      values (${organisation}, 'files', ${label}, ${label}, true, 1, portal_now()) returning id)
    insert into imported_lab (import_id, organisation_id, resource_key, source, listed_in, read_in)
    select id, ${organisation}, ${key}, ${JSON.stringify({ files: lab })}::jsonb, 1, 1 from made
    returning import_id as "labImport", id as "importedLab"`.execute(tx)
  return rows[0]!
}

/** Inserts a group, and a roster that follows it and waits for the decision about a removal. */
async function addRoster(tx: Tx, organisation: OrganisationId, label: string): Promise<string> {
  const { rows } = await sql<{ group: string }>`
    with made as (
      insert into scim_group (organisation_id, display_name) values (${organisation}, ${`${label} class`}) returning id),
    roster as (
      insert into roster (organisation_id, training_id, kind, external_key, name, machine_rule, guacamole, grace_days,
        made_by, ran_at, pending_since)
      select t.organisation_id, t.id, 'scim_group', made.id::text, ${`${label} class`}, 'none', true, 14, ${label},
        portal_now(), portal_now()
      from made, training t where t.organisation_id = ${organisation} and t.name = ${`${label} training`}
      returning id, organisation_id),
    member as (
      insert into roster_member (roster_id, organisation_id, external_id, email, name, role, listed, by_hand)
      select id, organisation_id, ${label}, ${`member@${label}.test`}, ${label}, 'learner', false, true from roster)
    select id as "group" from made`.execute(tx)
  return rows[0]!.group
}

/** Inserts an LMS with a course, and one without settings. */
async function addLms(
  tx: Tx,
  { app: { seal } }: TestPortal,
  organisation_id: OrganisationId,
  label: string,
): Promise<Pick<Subject, 'lms' | 'lmsWaiting' | 'lmsCourse' | 'lmsLink'>> {
  const issuer = `https://${label}.test`
  const [lms, waiting] = await tx
    .insertInto('lms_platform')
    .values([
      {
        organisation_id,
        name: `${label} LMS`,
        issuer,
        client_id: label,
        authorization_url: `${issuer}/auth`,
        token_url: `${issuer}/token`,
        key_set_url: `${issuer}/keys`,
      },
      { organisation_id, name: `${label} LMS to come` },
    ])
    .returning('id')
    .execute()
  await addKey(tx, seal, { id: lms!.id, organisation: organisation_id }, await generateKey())
  const of = { platform_id: lms!.id, organisation_id, deployment_id: '1' }
  await tx
    .insertInto('lms_deployment')
    .values({ ...of, accepted_at: new Date() })
    .execute()
  const { id: training } = await tx
    .selectFrom('training')
    .select('id')
    .where('organisation_id', '=', organisation_id)
    .executeTakeFirstOrThrow()
  const course = await tx
    .insertInto('lms_course')
    .values({ ...of, context_id: label, title: `${label} course`, training_id: training })
    .returning('id')
    .executeTakeFirstOrThrow()
  const link = await tx
    .insertInto('lms_link')
    .values({ course_id: course.id, organisation_id, resource_link_id: label, title: `${label} activity` })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { lms: lms!.id, lmsWaiting: waiting!.id, lmsCourse: course.id, lmsLink: link.id }
}

async function addScimToken(tx: Tx, organisation: OrganisationId, label: string): Promise<string> {
  const { id } = await tx
    .insertInto('scim_token')
    .values({
      organisation_id: organisation,
      token_hash: randomBytes(32),
      prefix: `try_scim_${label}`,
      name: `${label} directory`,
      created_by: `admin@${label}.test`,
      expires_at: sql<Date>`portal_now() + interval '1 day'`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Inserts a link without machines, at which the learner waits for approval. */
async function addRegistrationLink(
  { app }: TestPortal,
  tx: Tx,
  of: { readonly organisation_id: OrganisationId; readonly word: string; readonly learner: string },
): Promise<string> {
  const { organisation_id, word, learner } = of
  const id = randomUUID()
  const { code_hash, code } = codeColumns(app.seal, id, newCode())
  await sql`
    with link as (
      insert into registration_link (id, organisation_id, training_id, name, code_hash, code, seats, domains,
        needs_approval, with_machine, guacamole, made_by)
      select ${id}, organisation_id, id, ${`${word} link`}, ${code_hash}, ${code}, 20, '{}', true, false, false, ${word}
      from training where organisation_id = ${organisation_id} returning id)
    insert into registration (link_id, organisation_id, user_id, state, link_seats, is_pseudonym)
    select link.id, ${organisation_id}, u.id, 'pending', 20, false from link, portal_user u
    where u.email = ${learner}`.execute(tx)
  return id
}

async function passkeysFor(
  portal: TestPortal,
  label: string,
  emailOf: (role: Role) => string,
): Promise<Record<Role, string>> {
  const ids = new Map<Role, string>()
  for (const role of ROLES) {
    const { actor } = (await findSignInUser(portal.app.db, { email: emailOf(role) }))!
    const name = `${label} ${role}`
    const { id } = await portal.app.db
      .insertInto('passkey')
      .values({
        user_id: actor.id,
        credential_id: name.replace(' ', '-'),
        name,
        public_key: Buffer.from(label),
        uses: 0,
        transports: [],
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    ids.set(role, id)
  }
  return forEachRole((role) => ids.get(role)!)
}

async function apiKeysFor(portal: TestPortal, emailOf: (role: Role) => string): Promise<Record<Role, string>> {
  const ids = new Map<Role, string>()
  for (const role of ROLES) {
    const { actor } = (await findSignInUser(portal.app.db, { email: emailOf(role) }))!
    if (actor.role === 'sandboxuser' || actor.role === 'awssandboxuser') continue
    const { id } = await portal.app.db
      .insertInto('api_key')
      .values({
        token_hash: randomBytes(32),
        prefix: 'try_live_test',
        name: `Key of ${role}`,
        kind: 'personal',
        user_id: actor.id,
        role: actor.role,
        organisation_id: actor.organisation?.id ?? null,
        scopes: ['machine:read'],
        networks: [],
        expires_at: sql<Date>`portal_now() + interval '1 day'`,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    ids.set(role, id)
  }
  return forEachRole((role) => ids.get(role) ?? ABSENT_ID)
}

/** Inserts another superadmin's request to remove a user's second factors. */
async function askForReset(portal: TestPortal, email: string): Promise<void> {
  const { db } = portal.app
  const [person, requester] = await Promise.all([
    findSignInUser(db, { email }),
    findSignInUser(db, { email: SECOND_SUPERADMIN }),
  ])
  await db
    .insertInto('second_factor_reset')
    .values({
      user_id: person!.actor.id,
      asked_by: requester!.actor.id,
      expires_at: sql<Date>`portal_now() + interval '1 hour'`,
    })
    .execute()
}

/** Creates the subjects of the core, with rows of every add-on. */
export async function createSubjects(portal: TestPortal): Promise<Subjects<Subject>> {
  const core = await createSubjectsOfCore(portal)
  const own = {
    ...core.own,
    ...(await addRows(portal, 'own', core.own)),
    passkeys: await passkeysFor(portal, 'own', (role) => PEOPLE[role]),
    apiKeys: await apiKeysFor(portal, (role) => PEOPLE[role]),
  }
  const foreign = {
    ...core.foreign,
    ...(await addRows(portal, MARKER, core.foreign)),
    passkeys: await passkeysFor(portal, MARKER, () => `admin@${MARKER}.test`),
    apiKeys: await apiKeysFor(portal, () => `admin@${MARKER}.test`),
  }
  await askForReset(portal, own.email)
  await askForReset(portal, foreign.email)
  const absent: Subject = {
    ...core.absent,
    document: { ...own.document, number: 'INV/20-21/00001' },
    network: 'nobody network',
    weekly: ABSENT_ID,
    classSession: ABSENT_ID,
    budgetAlert: ABSENT_ID,
    paymentRequest: ABSENT_ID,
    statusRequest: ABSENT_ID,
    changeRequests: forEachRole(() => ABSENT_ID),
    labImport: ABSENT_ID,
    importedLab: ABSENT_ID,
    group: ABSENT_ID,
    lms: ABSENT_ID,
    lmsWaiting: ABSENT_ID,
    lmsCourse: ABSENT_ID,
    lmsLink: ABSENT_ID,
    scimToken: ABSENT_ID,
    webhook: { endpoint: ABSENT_ID, delivery: ABSENT_ID, second: ABSENT_ID },
    registrationLink: ABSENT_ID,
    guide: 'nobody-guide',
    passkeys: forEachRole(() => ABSENT_ID),
    apiKeys: forEachRole(() => ABSENT_ID),
  }
  return { own, foreign, absent }
}

/** Inserts rows of the add-ons for an organisation. */
async function addRows(
  portal: TestPortal,
  label: string,
  { organization, email: learner }: SubjectOfCore,
): Promise<Omit<Subject, keyof SubjectOfCore | 'passkeys' | 'apiKeys'>> {
  const { db, seal } = portal.app
  return db.transaction().execute(async (tx) => {
    const admin = `admin@${label}.test`
    const network = `${label} network`
    const { id: organisation_id } = await tx
      .selectFrom('organisation')
      .select('id')
      .where('name', '=', organization)
      .executeTakeFirstOrThrow()
    await setUpProvider(tx, portal, organisation_id, { domain: `${label}.test`, verified: false })
    await tx
      .insertInto('identity_provider_group')
      .values({ organisation_id, name: `${label} staff`, role: 'user' })
      .execute()
    await createNetwork(tx, seal, { name: network, route: 'gateway', ranges: ['10.20.0.0/16'] })
    const { rows: alerts } = await sql<{ id: string }>`
      with prepaid as (
        insert into prepaid_account (organisation_id) values (${organisation_id})),
      budget as (
        insert into budget (organisation_id, training_id, amount_paise, spending_cap, set_by)
        select organisation_id, id, 1000000, false, ${admin} from training where organisation_id = ${organisation_id})
      insert into budget_alert (organisation_id, training_id, kind, percent, used, total)
      select organisation_id, id, 'budget', 50, 500000, 1000000 from training
      where organisation_id = ${organisation_id} returning id`.execute(tx)
    const { id: paymentRequest } = await tx
      .insertInto('payment_request')
      .values({
        organisation_id,
        amount_paise: 129 as never,
        about: `${label} balance`,
        asked_by: admin,
        expires_at: new Date('2099-12-31T00:00Z'),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id: statusRequest } = await tx
      .insertInto('tax_status_request')
      .values({
        organisation_id,
        place: 'abroad',
        gstin: null,
        valid_from: '2099-12-31',
        reason: `${label} school moves`,
        document_name: `${label} letter.pdf`,
        document_type: 'application/pdf',
        document: Buffer.from(`%PDF-1.7 ${label}`),
        asked_by: admin,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const weekly = await sql<{ id: string }>`
      insert into recurrence (training_id, organisation_id, action, weekdays, time, from_date, until_date, time_zone, created_by)
      select id, organisation_id, 'Stop', '{1,5}', '09:30', '2099-11-01', '2099-12-31', 'Asia/Kolkata', ${admin}
      from training where organisation_id = ${organisation_id} returning id`.execute(tx)
    const session = await sql<{ id: string }>`
      with series as (
        insert into class_series (training_id, organisation_id, from_date, until_date, limits_access, created_by)
        select id, organisation_id, '2099-12-14', '2099-12-14', false, ${admin}
        from training where organisation_id = ${organisation_id} returning id, training_id, organisation_id),
      holiday as (
        insert into holiday (organisation_id, date, name, created_by)
        values (${organisation_id}, '2099-12-14', ${`${label} holiday`}, ${admin}))
      insert into class_session (series_id, training_id, organisation_id, date, start_time, stop_time, time_zone,
        starts_at, stops_at)
      select id, training_id, organisation_id, '2099-12-14', '09:00', '17:00', 'Asia/Kolkata',
        '2099-12-14T03:30Z', '2099-12-14T11:30Z' from series returning id`.execute(tx)
    return {
      network,
      document: await addInvoice(tx, organisation_id, label),
      weekly: weekly.rows[0]!.id,
      classSession: session.rows[0]!.id,
      budgetAlert: alerts[0]!.id,
      paymentRequest,
      statusRequest,
      changeRequests: await addChangeRequests(tx, organisation_id, label),
      ...(await addLabImport(tx, organisation_id, label)),
      group: await addRoster(tx, organisation_id, label),
      ...(await addLms(tx, portal, organisation_id, label)),
      scimToken: await addScimToken(tx, organisation_id, label),
      webhook: await addWebhook(tx, portal, organisation_id, label),
      registrationLink: await addRegistrationLink(portal, tx, { organisation_id, word: label, learner }),
      guide: await addGuide(tx, organisation_id, label),
    }
  })
}

/** Adds a guide, attaches its first version to the training, and opens it for each machine. */
async function addGuide(tx: Tx, organisation: OrganisationId, label: string): Promise<string> {
  const guide = `${label}-guide`
  const files = minimalGuide(guide)
  const read = readGuide(files)
  for (const note of ['one', 'two'])
    await storeVersion(tx, organisation, read, files.set('notes.txt', Buffer.from(note)), `admin@${label}.test`)
  await sql`
    with version as (
      update guide_version set published_at = portal_now(), reason = ${label}
      where organisation_id = ${organisation} and number = 1 returning id),
    attached as (
      insert into training_guide (training_id, organisation_id, version_id, attached_by)
      select t.id, t.organisation_id, version.id, ${label} from version, training t
      where t.organisation_id = ${organisation} and t.name = ${`${label} training`})
    insert into guide_run (organisation_id, machine_id, version_id, email, reset_count, variables, step)
    select m.organisation_id, m.id, version.id, m.email, m.reset_count, '{}', 'one' from version, machine m
    where m.organisation_id = ${organisation}`.execute(tx)
  return guide
}

/** Adds two endpoints, the first with a pending delivery. */
async function addWebhook(
  tx: Tx,
  { app: { seal } }: TestPortal,
  organisation_id: OrganisationId,
  label: string,
): Promise<Subject['webhook']> {
  const [id, second] = [randomUUID() as WebhookEndpointId, randomUUID() as WebhookEndpointId]
  await tx
    .insertInto('webhook_endpoint')
    .values(
      [id, second].map((each) => ({
        id: each,
        organisation_id,
        url: `https://hooks.${label}.test/`,
        description: `${label} receiver`,
        events: [],
        secret: seal.seal('whsec_none', webhookSecretContext(each)),
      })),
    )
    .execute()
  await insertTestEvent(tx, organisation_id, label, JSON.stringify({ message: label }), id)
  const delivery = await tx
    .selectFrom('webhook_delivery')
    .select('id')
    .where('endpoint_id', '=', id)
    .executeTakeFirstOrThrow()
  return { endpoint: id, delivery: delivery.id, second }
}

/** Adds the other training with its instructor, and sets the price. */
export async function addOtherTraining(portal: TestPortal, { template }: Subject): Promise<void> {
  const { db, seal } = portal.app
  const { actor } = (await findSignInUser(db, { email: PEOPLE.admin }))!
  const trainingName = CONFIDENTIAL.training
  const order = { templateName: template, allocatedHours: 60, createVmCount: 1, guacamole: true, trainingName }
  await db.transaction().execute(async (tx) => {
    await orderMachines(tx, actor, { ...order, email: ['pupil@own.test'] }, { seal, jobs: { enqueue: async () => {} } })
    await addInstructorTo(tx, { organisation_id: actor.organisation!.id, email: INSTRUCTORS.other, trainingName })
    for (const table of ['machine', 'run'])
      await sql`update ${sql.ref(table)} set paise_per_hour = ${CONFIDENTIAL.paise}`.execute(tx)
    await sql`update template set rate_paise = ${CONFIDENTIAL.paise}`.execute(tx)
  })
}
