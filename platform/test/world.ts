import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { OrganisationId, WebhookEndpointId } from '../contract/words/ids.ts'
import { paise } from '../contract/words/money.ts'
import { type Role, ROLES } from '../contract/words/role.ts'
import { hashToken } from '../server/core/tokens.ts'
import type { Tx } from '../server/db/schema.ts'
import { addKey, generateKey } from '@trainyard/lti/server/keys.ts'
import { createNetwork } from '@trainyard/private-networks/server/create.ts'
import { findSignInUser } from '@trainyard/users/server/sign-in-user.ts'
import { hashPassword } from '@trainyard/users/server/passwords.ts'
import { addInvitation } from '@trainyard/users/server/invite-users.ts'
import { invitationToken } from '@trainyard/users/server/invitation-link.ts'
import { codeColumns, newCode } from '@trainyard/registration/server/link.ts'
import { orderMachines } from '@trainyard/machines/server/order/order.ts'
import { updateQuotaEnds } from '@trainyard/machines/server/queries.ts'
import { addEntry } from '@trainyard/ledger/server/entries.ts'
import { addInvoice } from './tax-documents.ts'
import { webhookSecretContext } from '@trainyard/webhooks/server/encryption-context.ts'
import { setUpProvider } from './identity-providers.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { startPortalOn, type TestPortal } from './portal.ts'
import { type AwsLabSubject, type LabSubject, makeAwsLab, makeLab } from './labs.ts'
import { insertTestEvent } from '@trainyard/webhooks/server/queries.ts'

/**
 * Text that every text of the foreign organisation contains. No response to a user of another organisation may contain
 * it.
 */
export const MARKER = 'zqmark'

/**
 * Values to which a call can refer: values of the caller, values of another organisation, or values that do not exist.
 */
export interface Subject extends LabSubject, AwsLabSubject {
  readonly organization: string
  readonly trainingName: string
  readonly template: string
  readonly network: string
  readonly machine: { readonly name: string; readonly resourceGroup: string }
  readonly email: string
  readonly schedule: string
  readonly weekly: string
  readonly classSession: string
  readonly newEmail: string
  readonly token: string
  readonly invited: string
  /** An instructor of the training. */
  readonly instructor: string
  readonly password: string
  /** ID of a session for each role: of the user with this role, of another user, or of no user. */
  readonly sessions: Readonly<Record<Role, string>>
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
  /** A paid order, with the payment and the provider's signature of both. */
  readonly paid: { readonly order_id: string; readonly payment_id: string; readonly signature: string }
}

export const PEOPLE: Readonly<Record<Role, string>> = {
  user: 'learner@own.test',
  admin: 'admin@own.test',
  superadmin: 'superadmin@portal.test',
  sandboxuser: 'sandbox@portal.test',
  awssandboxuser: 'aws@portal.test',
}

/** Two instructors: one of the training of the own subject, and one of another training of the same organisation. */
export const INSTRUCTORS = { own: 'instructor@own.test', other: 'other-instructor@own.test' } as const
/** Name of the other training, and price of all machines, which no reply to an instructor of the first may contain. */
export const CONFIDENTIAL = { training: 'confidential course', paise: 98_765, rupees: '987.65' } as const

/** Inserts an online payment that is already credited, so that verifying it again does not call the provider. */
async function addPaid(
  tx: Tx,
  portal: TestPortal,
  organisation: OrganisationId,
  label: string,
): Promise<Subject['paid']> {
  const [order_id, payment_id] = [`order_${label}`, `pay_${label}`]
  await sql`insert into payment (organisation_id, amount_paise, order_id, asked_by, paid_at, credited)
    values (${organisation}, 100, ${order_id}, ${`admin@${label}.test`}, portal_now(), ${[payment_id]})`.execute(tx)
  const entry = {
    organisation,
    reference: payment_id,
    particular: `${label} payment`,
    amount: paise(100),
    by: label,
  } as const
  await addEntry(tx, { ...entry, kind: 'payment', date: '2026-01-31', source: 'provider' })
  await addEntry(tx, {
    ...entry,
    kind: 'tds',
    reference: `TDS of ${payment_id}`,
    deductedFrom: payment_id,
    tds: { section: '194J', year: '25-26', quarter: 4 },
    amount: paise(20),
    date: '2026-01-31',
    source: 'manual',
  })
  // Payment and TDS settle the invoice, so that the organisation owes nothing and can be deleted.
  const invoice = { ...entry, amount: paise(120), reference: label }
  await addEntry(tx, { ...invoice, kind: 'invoice', date: '2026-01-01', source: 'manual' })
  const secret = portal.app.secrets.razorpayKeySecret
  return {
    order_id,
    payment_id,
    signature: createHmac('sha256', secret).update(`${order_id}|${payment_id}`).digest('hex'),
  }
}

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
  return { ...forEach(() => ABSENT_ID), user: idOf('hours'), admin: idOf('quota') }
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

const PASSWORD = 'the password of everybody'
/** Another superadmin, who confirms resets, and who remains if the first one is deleted. */
const SECOND_SUPERADMIN = 'second@portal.test'

const ABSENT_ID = '00000000-0000-4000-8000-000000000000'

const forEach = (of: (role: Role) => string): Record<Role, string> =>
  Object.fromEntries(ROLES.map((role) => [role, of(role)])) as Record<Role, string>

async function sessionsFor(portal: TestPortal, emailOf: (role: Role) => string): Promise<Record<Role, string>> {
  const ids = new Map<Role, string>()
  for (const role of ROLES) {
    const token_hash = hashToken(await portal.sessionOf(emailOf(role)))
    const { id } = await portal.app.db
      .selectFrom('session')
      .select('id')
      .where('token_hash', '=', token_hash)
      .executeTakeFirstOrThrow()
    ids.set(role, id)
  }
  return forEach((role) => ids.get(role)!)
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
  return forEach((role) => ids.get(role)!)
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
  return forEach((role) => ids.get(role) ?? ABSENT_ID)
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

/** Database with the rows of `createSubjects`, without connections. */
export interface SubjectsTemplate {
  readonly database: TestDatabase
  readonly own: Subject
  readonly foreign: Subject
  readonly absent: Subject
}

/**
 * Creates the subjects in a database that each portal of a file copies, because creating the rows takes longer.
 * @param settings of the portal that creates the rows
 * @param addMore adds rows or reads them before the connections close
 */
export async function createSubjectsTemplate(
  cluster: string,
  settings: TestPortal['settings'] = {},
  addMore: (portal: TestPortal, own: Subject) => Promise<void> = async () => {},
): Promise<SubjectsTemplate> {
  const database = await createTestDatabase(cluster)
  const portal = await startPortalOn(database.url, settings)
  const subjects = await createSubjects(portal)
  await addMore(portal, subjects.own)
  await portal.close()
  return { database, ...subjects }
}

/** Creates two organisations with the same kinds of rows, and returns their subjects and a non-existent one. */
export async function createSubjects(portal: TestPortal): Promise<{ own: Subject; foreign: Subject; absent: Subject }> {
  const { db } = portal.app
  const password_hash = await hashPassword(PASSWORD)
  await db
    .insertInto('portal_user')
    .values([
      { email: PEOPLE.superadmin, role: 'superadmin', organisation_id: null, password_hash },
      { email: SECOND_SUPERADMIN, role: 'superadmin', organisation_id: null, password_hash },
      { email: PEOPLE.sandboxuser, role: 'sandboxuser', organisation_id: null, password_hash },
      { email: PEOPLE.awssandboxuser, role: 'awssandboxuser', organisation_id: null, password_hash },
    ])
    .execute()
  const own = {
    ...(await makeOrganisation(portal, 'own', PEOPLE.admin, PEOPLE.user)),
    ...(await makeLab(portal, PEOPLE.sandboxuser, 'own')),
    ...(await makeAwsLab(portal, PEOPLE.awssandboxuser, 'own')),
    sessions: await sessionsFor(portal, (role) => PEOPLE[role]),
    passkeys: await passkeysFor(portal, 'own', (role) => PEOPLE[role]),
    apiKeys: await apiKeysFor(portal, (role) => PEOPLE[role]),
  }
  const foreign = {
    ...(await makeOrganisation(portal, MARKER, `admin@${MARKER}.test`, `learner@${MARKER}.test`)),
    ...(await makeLab(portal, `lab@${MARKER}.test`, MARKER)),
    ...(await makeAwsLab(portal, `aws@${MARKER}.test`, MARKER)),
    sessions: await sessionsFor(portal, () => `admin@${MARKER}.test`),
    passkeys: await passkeysFor(portal, MARKER, () => `admin@${MARKER}.test`),
    apiKeys: await apiKeysFor(portal, () => `admin@${MARKER}.test`),
  }
  await askForReset(portal, own.email)
  await askForReset(portal, foreign.email)
  const absent: Subject = {
    paid: { ...own.paid, order_id: 'order_nobody' },
    document: { ...own.document, number: 'INV/20-21/00001' },
    organization: 'nobody school',
    trainingName: 'nobody training',
    template: 'nobody template',
    network: 'nobody network',
    machine: { name: 'nobody-1', resourceGroup: own.machine.resourceGroup },
    email: 'nobody@nobody.test',
    invited: 'nobody@nobody.test',
    instructor: 'nobody@nobody.test',
    password: PASSWORD,
    schedule: ABSENT_ID,
    weekly: ABSENT_ID,
    classSession: ABSENT_ID,
    budgetAlert: ABSENT_ID,
    paymentRequest: ABSENT_ID,
    statusRequest: ABSENT_ID,
    changeRequests: forEach(() => ABSENT_ID),
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
    sessions: forEach(() => ABSENT_ID),
    passkeys: forEach(() => ABSENT_ID),
    apiKeys: forEach(() => ABSENT_ID),
    newEmail: 'new@nobody.test',
    token: own.token.replace(/^.{8}/, '00000000'),
    labUser: 'nobody@labs.test',
    awsLabUser: 'nobody@aws.labs.test',
    sandbox: own.sandbox.replace('own', 'none'),
    newSandbox: own.newSandbox,
  }
  return { own, foreign, absent }
}

async function makeOrganisation(
  portal: TestPortal,
  label: string,
  admin: string,
  learner: string,
): Promise<Omit<Subject, 'sessions' | 'passkeys' | 'apiKeys' | keyof (LabSubject & AwsLabSubject)>> {
  const { db, seal } = portal.app
  const password_hash = await hashPassword(PASSWORD)
  return db.transaction().execute(async (tx) => {
    const organization = `${label} school`
    const trainingName = `${label} training`
    const template = `${label} template`
    const network = `${label} network`
    const { id: organisation_id } = await tx
      .insertInto('organisation')
      .values({
        name: organization,
        logo: `https://${label}.test/logo.png`,
        gst: label === 'own' ? '29AAAOW1111A1ZD' : '33ZQMAR1111K1Z3',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const users = await tx
      .insertInto('portal_user')
      .values([
        { email: admin, role: 'admin', organisation_id, password_hash },
        { email: learner, role: 'user', organisation_id, password_hash },
        { email: `spare@${label}.test`, role: 'user', organisation_id, password_hash: null },
      ])
      .returning(['id', 'email'])
      .execute()
    await setUpProvider(tx, portal, organisation_id, { domain: `${label}.test`, verified: false })
    await tx
      .insertInto('identity_provider_group')
      .values({ organisation_id, name: `${label} staff`, role: 'user' })
      .execute()
    await createNetwork(tx, seal, { name: network, route: 'gateway', ranges: ['10.20.0.0/16'] })
    const { id: template_id } = await tx
      .insertInto('template')
      .values({
        name: template,
        rate_paise: 1000 as never,
        resource_group: `${label}-group`,
        location: 'southindia',
        vnet: `${label}-net`,
        vm_size: 'Standard_D2s_v3',
        image_id: `${label}:${label}:${label}:latest`,
        os: 'Linux',
        licence: 'none',
        plan_publisher: null,
        plan_product: null,
        plan_version: null,
        cpu: `${label} cpu`,
        memory: `${label} memory`,
        storage: `${label} storage`,
        disk: `${label} disk`,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx.insertInto('template_assignment').values({ organisation_id, template_id }).execute()
    const found = await findSignInUser(tx, { email: admin })
    const order = { templateName: template, email: [learner], allocatedHours: 60, createVmCount: 1, guacamole: true }
    await orderMachines(tx, found!.actor, { ...order, trainingName }, { seal, jobs: { enqueue: async () => {} } })
    // The machine runs, with a run and an error, so that every field has a value.
    await sql`update machine set observed = 'running', first_seen_at = portal_now(), observed_at = portal_now(),
      public_ip = ${label}, last_error = ${`${label} error`}, admin_username = ${label} where organisation_id = ${organisation_id}`.execute(
      tx,
    )
    await sql`insert into run (machine_id, organisation_id, started_at, paise_per_hour)
      select id, organisation_id, date_trunc('second', portal_now()), paise_per_hour from machine
      where organisation_id = ${organisation_id}`.execute(tx)
    const { id, ...machine } = await tx
      .selectFrom('machine')
      .select(['id', 'name', 'resource_group as resourceGroup'])
      .where('organisation_id', '=', organisation_id)
      .executeTakeFirstOrThrow()
    await updateQuotaEnds(tx, [id])
    const { rows } = await sql<{ id: string }>`
      with open as (
        insert into port (training_id, organisation_id, port, priority)
        select id, organisation_id, 8080, 1001 from training where organisation_id = ${organisation_id})
      insert into schedule (training_id, organisation_id, action, date, time, time_zone, fires_at, created_by)
      select id, organisation_id, 'Start', '2099-12-31', '09:30', 'Asia/Kolkata', '2099-12-31T04:00Z', ${admin}
      from training where organisation_id = ${organisation_id} returning id`.execute(tx)
    const { rows: alerts } = await sql<{ id: string }>`
      with prepaid as (
        insert into prepaid_account (organisation_id) values (${organisation_id})),
      budget as (
        insert into budget (organisation_id, training_id, amount_paise, spending_cap, set_by)
        select organisation_id, id, 1000000, false, ${admin} from training where organisation_id = ${organisation_id})
      insert into budget_alert (organisation_id, training_id, kind, percent, used, total)
      select organisation_id, id, 'budget', 50, 500000, 1000000 from training
      where organisation_id = ${organisation_id} returning id`.execute(tx)
    const schedule = rows[0]!.id
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
    const instructor = `instructor@${label}.test`
    await addInstructorTo(tx, { organisation_id, email: instructor, trainingName })
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
    const spare = users.find(({ email }) => email.startsWith('spare'))!
    const token = invitationToken(seal, await addInvitation(tx, spare.id))
    return {
      organization,
      trainingName,
      template,
      network,
      machine,
      email: learner,
      schedule,
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
      paid: await addPaid(tx, portal, organisation_id, label),
      newEmail: `new@${label}.test`,
      token,
      invited: spare.email,
      instructor,
      password: PASSWORD,
    }
  })
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

async function addInstructorTo(
  tx: Tx,
  of: { readonly organisation_id: OrganisationId; readonly email: string; readonly trainingName: string },
): Promise<void> {
  const { organisation_id, email, trainingName } = of
  const user = await tx
    .insertInto('portal_user')
    .values({ email, role: 'user', organisation_id, password_hash: 'none' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`insert into training_instructor (training_id, organisation_id, user_id, added_by)
    select id, organisation_id, ${user.id}, 'admin' from training
    where organisation_id = ${organisation_id} and name = ${trainingName}`.execute(tx)
}
