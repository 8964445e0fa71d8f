import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { publicKeyOf } from '@trainyard/platform/server/run/secrets/signing-key.ts'
import { addUser as addLabUser } from '@trainyard/platform/test/azure-lab-rows.ts'
import { order } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { validInvitations } from '@trainyard/users/server/invitation-link.ts'
import { verifyTable } from '@trainyard/audit-chain/server/verify.ts'
import { sealAudit } from '@trainyard/audit-chain/server/seal.ts'
import { eraseDuePersons } from '@trainyard/privacy/server/erase.ts'
import { applyRetention } from '@trainyard/privacy/server/retention.ts'
import { columnsIn } from '@trainyard/platform/server/core/tables.ts'
import { personalData } from '@trainyard/privacy/server/personal-data.ts'

const CANARY = 'kanarie.vogel@acme.test'
const NAME = 'Kanarie Vogel'
/** Learner who had the machine of the canary before. */
const FORMER = 'former.learner@acme.test'
/** Address of another person, which ends with the address of the canary. */
const NEIGHBOUR = 'x.kanarie.vogel@acme.test'

const env = await sharedEnvironment()
const { db } = env
const acme = await env.organisation('Acme')
const other = await env.organisation('Other')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
const foreignAdmin = await env.signIn('admin', 'admin@other.test', other)
const canaryUser = await env.signIn('user', CANARY, acme)
await env.signIn('user', NEIGHBOUR, acme)

const runTask = () =>
  eraseDuePersons(
    db,
    { withOwner: (work) => work(db), key: env.parts.auditKey, logMessage: () => {} },
    new AbortController().signal,
  )

const verified = () =>
  verifyTable(db, '/nowhere', {
    keys: new Map([[publicKeyOf(env.parts.auditKey()).toString('hex'), Number.MAX_SAFE_INTEGER]]),
    heads: [],
  })

/** Returns the tables of all schemas that contain the text in any column, as a logical backup would. */
async function tablesWith(text: string): Promise<string[]> {
  const { rows: tables } = await sql<{ table: string; bytes: string[] }>`
    select format('%I.%I', n.nspname, c.relname) as "table",
      array(select quote_ident(attname) from pg_attribute where attrelid = c.oid and atttypid = 'bytea'::regtype) as bytes
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where relkind = 'r' and nspname in ('public', 'pgboss')`.execute(db)
  const found: string[] = []
  for (const { table, bytes } of tables) {
    const content = ['t::text', ...bytes.map((column) => `encode(${column}, 'escape')`)].join(", ' ', ")
    const { rows } = await sql<{ there: boolean }>`
      select exists (select from ${sql.raw(table)} t
        where position(${text.toLowerCase()} in lower(concat(${sql.raw(content)}))) > 0) as there`.execute(db)
    if (rows[0]!.there) found.push(table)
  }
  return found.toSorted()
}

test('limits no text whose addresses are replaced by a pseudonym, which can be longer', async () => {
  const { rows } = await sql<{ table: string; column: string }>`
    select conrelid::regclass::text as "table", attname as "column"
    from pg_constraint c join pg_attribute a on a.attrelid = conrelid and attnum = any(conkey)
    where contype = 'c' and pg_get_constraintdef(c.oid) ~ ('length\\(' || attname || '\\) <')
    order by 1, 2`.execute(db)
  const limited = rows.filter(({ table, column }) => columnsIn(personalData()[table]?.mentions).includes(column))
  // A column with a single address is as long as the pseudonym after the erasure.
  expect(limited.filter(({ column }) => !column.endsWith('email'))).toEqual([])
})

test('after an erasure the address is in no table, the audit verifies, and usage and invoices are unchanged', async () => {
  await admin('PATCH', '/admin/users', { email: CANARY, name: NAME })
  await canaryUser('POST', '/user/forgot', { email: CANARY })
  await canaryUser('POST', '/user/login', { email: CANARY.toUpperCase(), password: 'wrong' })
  expect(await admin('POST', '/azure/machines', order('Birds', [CANARY, NEIGHBOUR]))).toMatchObject({ status: 200 })
  const { rows: machines } = await sql<{ id: string }>`select id from machine where email = ${CANARY}`.execute(db)
  const machine = machines[0]!.id
  await sql`insert into remote_session (session_hash, user_id, email, machine_id, organisation_id)
    select '\\x00', u.id, u.email, ${machine}, ${acme} from portal_user u where email = ${CANARY}`.execute(db)
  await sql`insert into raised_hand (training_id, organisation_id, email)
    select id, organisation_id, ${CANARY} from training where name = 'Birds'`.execute(db)
  await sql`insert into scim_user (organisation_id, user_id, user_name, active, emails, data)
    select ${acme}, id, 'kvogel', true, array[email], ${JSON.stringify({ displayName: NAME, title: CANARY })}::jsonb
    from portal_user where email = ${CANARY}`.execute(db)
  await sql`insert into webhook_event (organisation_id, type, resource, data)
    values (${acme}, 'hand.raised', ${`hand:1:${CANARY}`}, ${JSON.stringify({ learner: CANARY })}::jsonb)`.execute(db)
  await sql`with entry as (insert into ledger_entry (organisation_id, kind, reference, particular, amount_paise, date, source, created_by)
    values (${acme}, 'invoice', 'INV-1', ${`Usage, as agreed with ${CANARY}`}, 11800, '2026-01-31', 'manual', ${CANARY}) returning id)
      select update_balances(ids), post_entries(ids) from (select array(select id from entry) as ids) as added`.execute(
    db,
  )
  // A file that is named after the person, in a table and in the audit.
  const list = { name: `${CANARY}.CSV`, csv: 'LabName,Size,MaxUsers,UsageQuota\nbirds,Basic,1,1' }
  expect(await admin('POST', '/labImports/files', { files: [list] })).toMatchObject({ status: 200 })
  await sealAudit(db)
  const before = await tablesWith(CANARY)
  expect(before).toEqual(
    expect.arrayContaining([
      'public.audit',
      'public.lab_import',
      'public.ledger_entry',
      'public.machine',
      'public.portal_user',
      'public.raised_hand',
      'public.remote_session',
      'public.scim_user',
      'public.webhook_event',
    ]),
  )

  // The portal refuses another organisation's admin, a learner, an own account, and a person with a machine.
  const erase = (by: typeof admin, email = CANARY) => by('POST', '/privacy/erasures', { email })
  expect(await erase(foreignAdmin)).toMatchObject({ status: 404 })
  expect(await erase(canaryUser)).toMatchObject({ status: 403 })
  expect(await erase(admin, 'admin@acme.test')).toMatchObject({ status: 409 })
  expect(await erase(admin)).toMatchObject({ status: 409, body: { message: expect.stringContaining('1 machine') } })
  expect(await foreignAdmin('POST', '/privacy/export', { email: CANARY, format: 'json' })).toMatchObject({
    status: 404,
  })
  await sql`update machine set desired = 'gone', observed = 'absent', terminated_at = portal_now(), ended = 'deleted', reconcile_at = null, leased_until = null,
      command = null, command_at = null, admin_password = null
    where id = ${machine}`.execute(db)

  await sql`update machine set ordered_for = ${FORMER} where id = ${machine}`.execute(db)
  const exported = await admin('POST', '/privacy/export', { email: CANARY, format: 'json' })
  const { person, records, actions } = exported.body
  expect(person).toEqual({ addresses: [CANARY], names: [NAME] })
  expect(records.map((record: { table: string }) => record.table)).toEqual(
    expect.arrayContaining(['machine', 'portal_user', 'raised_hand', 'remote_session', 'scim_user', 'session']),
  )
  expect(JSON.stringify(records)).not.toMatch(/password_hash|token_hash|admin_password/)
  expect(JSON.stringify(records)).not.toContain(FORMER)
  expect(actions.length).toBeGreaterThan(0)

  expect(await erase(admin)).toMatchObject({ status: 200 })
  expect(await erase(admin)).toMatchObject({ status: 409 })
  expect(await canaryUser('GET', '/user/me')).toMatchObject({ status: 401 })
  const sums = () =>
    sql`select (select sum(amount_paise) from ledger_entry) as entries, (select count(*) from machine) as machines,
      (select sum(abs(paise)) from posting) as postings`
      .execute(db)
      .then(({ rows }) => rows)
  const money = await sums()
  await runTask()
  const { erasures } = (await admin('GET', '/privacy/erasures')).body
  expect(erasures).toMatchObject([{ number: 1, email: null, askedBy: 'admin@acme.test', problem: null }])
  expect(erasures[0].doneAt).not.toBeNull()
  expect(erasures[0].report).toEqual(
    expect.arrayContaining([
      { table: 'audit', rows: expect.any(Number) },
      { table: 'machine', rows: 1 },
      { table: 'portal_user', rows: 1 },
    ]),
  )

  // The neighbour's address contains the address of the canary.
  const { rows: neighbours } = await sql<{
    email: string
  }>`select email from machine where email = ${NEIGHBOUR}`.execute(db)
  expect(neighbours).toHaveLength(1)
  expect(await tablesWithout(NEIGHBOUR, CANARY)).toEqual([])
  expect(await tablesWith(NAME)).toEqual([])
  expect(await sums()).toEqual(money)
  const { rows: entries } = await sql<{ particular: string; created_by: string }>`
    select particular, created_by from ledger_entry`.execute(db)
  expect(entries).toEqual([
    { particular: 'Usage, as agreed with erased-1@erased.invalid', created_by: 'erased-1@erased.invalid' },
  ])

  await sealAudit(db)
  const { findings, notes } = await verified()
  expect(findings).toEqual([])
  expect(notes[0]).toMatch(/Personal data was erased from [1-9]\d* of the rows/)
  // Adds a row that was changed after its erasure, and an erasure that another key signed.
  const foreign = new Map([['00'.repeat(32), Number.MAX_SAFE_INTEGER]])
  const { rows: erased } = await sql<{ count: number }>`select count(*) as count from audit_erasure`.execute(db)
  const { findings: untrusted } = await verifyTable(db, '/nowhere', { keys: foreign, heads: [] })
  expect(untrusted.filter(({ kind }) => kind === 'changed')).toHaveLength(erased[0]!.count)
  await sql`update audit set call = 'organisation.remove'
    where id = (select min(audit_id) from audit_erasure)`.execute(db)
  expect((await verified()).findings).toMatchObject([{ kind: 'changed' }])
})

/** Adds a record of the directory with the account of an e-mail address. */
const addDirectoryRecord = (email: string, emails: readonly string[]) =>
  sql`
  insert into scim_user (organisation_id, user_id, user_name, active, emails, data)
  select ${acme}, id, email, true, ${emails}::text[], '{}' from portal_user where email = ${email}`.execute(db)

const erasedBy = async (by: typeof admin, email: string) => {
  const reply = await by('POST', '/privacy/erasures', { email })
  await runTask()
  return reply
}

test('addresses of other users in a directory record are neither exported nor erased', async () => {
  await env.signIn('superadmin', 'root@portal.test', null)
  await env.signIn('user', 'victim@other.test', other)
  const attacker = await env.signIn('user', 'mallory@acme.test', acme)
  await sql`insert into organisation_domain (organisation_id, domain, verified_at, verified_by)
    values (${acme}, 'acme.test', portal_now(), 'dns')`.execute(db)
  await foreignAdmin('POST', '/azure/machines', order('Fish', ['victim@other.test']))
  await sql`update supplier set email = 'billing@portal.test'`.execute(db)
  await addDirectoryRecord('mallory@acme.test', [
    'root@portal.test',
    'victim@other.test',
    'billing@portal.test',
    NEIGHBOUR,
    'null',
    'm.allory@acme.test',
  ])
  const { body } = await attacker('POST', '/privacy/export/mine', { format: 'json' })
  expect(body.person.addresses.toSorted()).toEqual(['m.allory@acme.test', 'mallory@acme.test'])
  expect(body.records.map(({ table }: { table: string }) => table)).not.toContain('machine')
  const others = () =>
    sql`select array(select email from portal_user where email <> 'mallory@acme.test' order by 1) as users,
      array(select email from machine order by id) as machines, (select email from supplier) as supplier`
      .execute(db)
      .then(({ rows }) => rows)
  const before = await others()
  expect(await erasedBy(admin, 'mallory@acme.test')).toMatchObject({ status: 200 })
  expect(await others()).toEqual(before)
  expect(await tablesWith('mallory@acme.test')).toEqual([])
})

test('an admin neither reads nor erases lab users and machines elsewhere with an address that the organisation added', async () => {
  const email = 'stranger@home.test'
  const [live, ended] = await Promise.all([
    addLabUser(env.portal.app, { personal_email: email }),
    addLabUser(env.portal.app, { personal_email: email }),
  ])
  await sql`delete from portal_user where id = (select account_id from azure_user where id = ${ended})`.execute(db)
  await sql`update azure_user set desired = 'gone', ended_at = portal_now(), first_password = null, reconcile_at = null
    where id = ${ended}`.execute(db)
  expect((await foreignAdmin('POST', '/azure/machines', order('Waders', [email]))).status).toBe(200)
  // The account is deleted, after which another organisation can add the address.
  await sql`delete from portal_user where email = ${email}`.execute(db)
  await env.signIn('user', email, acme)
  const { body } = await admin('POST', '/privacy/export', { email, format: 'json' })
  expect(body.person.addresses).toEqual([email])
  const tables = body.records.map(({ table }: { table: string }) => table)
  expect(tables).toContain('portal_user')
  expect(tables).not.toContain('azure_user')
  expect(tables).not.toContain('machine')
  expect(await erasedBy(admin, email)).toMatchObject({ status: 200 })
  expect(await sql`select email from portal_user where email = ${email}`.execute(db)).toMatchObject({ rows: [] })
  const { rows } = await sql<{ personal_email: string }>`
    select personal_email from azure_user where id in (${live}, ${ended})`.execute(db)
  expect(rows).toEqual([{ personal_email: email }, { personal_email: email }])
})

test('a user whose address a directory chose exports no rows of other organisations', async () => {
  expect((await foreignAdmin('POST', '/azure/machines', order('Gulls', ['gull@home.test']))).status).toBe(200)
  await sql`delete from portal_user where email = 'gull@home.test'`.execute(db)
  const user = await env.signIn('user', 'gull@home.test', acme)
  const tables = async () => {
    const { body } = await user('POST', '/privacy/export/mine', { format: 'json' })
    return body.records.map(({ table }: { table: string }) => table)
  }
  expect(await tables()).toContain('machine')
  await addDirectoryRecord('gull@home.test', ['gull@home.test'])
  expect(await tables()).toContain('portal_user')
  expect(await tables()).not.toContain('machine')
})

test('users with the same number at another LMS are neither exported nor erased', async () => {
  const pupil = await env.signIn('user', 'pupil@acme.test', acme)
  const root = await env.signIn('superadmin', 'lms@portal.test', null)
  for (const [organisation, issuer, name] of [
    [acme, 'https://lms.acme.test', 'Pupil of Acme'],
    [other, 'https://lms.other.test', 'Pupil of Other'],
    // The organisation enters the issuer, so it proves nothing about the LMS of another organisation.
    [other, 'https://lms.acme.test', 'Namesake at Other'],
  ] as const) {
    await sql`with platform as (
        insert into lms_platform (organisation_id, name, issuer, client_id, authorization_url, token_url, key_set_url)
        values (${organisation}, ${name}, ${issuer}, ${name}, 'https://a.test', 'https://a.test', 'https://a.test')
        returning id),
      deployment as (insert into lms_deployment (platform_id, organisation_id, deployment_id, seen_at)
        select id, ${organisation}, '1', portal_now() from platform),
      course as (insert into lms_course (platform_id, organisation_id, deployment_id, context_id, title)
        select id, ${organisation}, '1', '1', 'Course' from platform returning id)
      insert into lms_member (course_id, organisation_id, subject, name, role)
        select id, ${organisation}, '3', ${name}, 'learner' from course`.execute(db)
  }
  await sql`insert into lms_identity (organisation_id, issuer, subject, user_id)
    select ${acme}, 'https://lms.acme.test', '3', id from portal_user where email = 'pupil@acme.test'`.execute(db)
  const { body } = await pupil('POST', '/privacy/export/mine', { format: 'json' })
  expect(body.person.names).toEqual(['Pupil of Acme'])
  const members = body.records.find(({ table }: { table: string }) => table === 'lms_member').rows
  expect(members.map(({ name }: { name: string }) => name)).toEqual(['Pupil of Acme'])
  expect(await erasedBy(root, 'pupil@acme.test')).toMatchObject({ status: 200 })
  const { rows } = await sql`select name from lms_member order by name`.execute(db)
  expect(rows).toEqual([{ name: 'Namesake at Other' }, { name: 'Pupil of Other' }])
})

test('only superadmins close and erase the account of an admin', async () => {
  const root = await env.signIn('superadmin', 'root@portal.test', null)
  const other = await env.signIn('admin', 'other-admin@acme.test', acme)
  expect(await erasedBy(admin, 'other-admin@acme.test')).toMatchObject({ status: 403 })
  expect((await other('GET', '/user/me')).status).toBe(200)
  await sql`
    insert into invitation (user_id, purpose, new_email, expires_at)
    select id, 'address', 'escaped@acme.test', portal_now() + interval '1 day' from portal_user
    where email = 'other-admin@acme.test'`.execute(db)
  const links = validInvitations(db).select('new_email').where('new_email', '=', 'escaped@acme.test')
  expect(await links.execute()).toHaveLength(1)
  expect((await root('POST', '/privacy/erasures', { email: 'other-admin@acme.test' })).status).toBe(200)
  expect((await other('GET', '/user/me')).status).toBe(401)
  expect(await links.execute()).toEqual([])
  await runTask()
})

test('superadmins who erase each other leave one who can sign in', async () => {
  const [one, two] = [
    await env.signIn('superadmin', 'one@portal.test', null),
    await env.signIn('superadmin', 'two@portal.test', null),
  ]
  await sql`delete from portal_user where role = 'superadmin' and email not in ('one@portal.test', 'two@portal.test')`.execute(
    db,
  )
  await Promise.all([
    one('POST', '/privacy/erasures', { email: 'two@portal.test' }),
    two('POST', '/privacy/erasures', { email: 'one@portal.test' }),
  ])
  const { rows } = await sql`select from portal_user where role = 'superadmin' and deactivated_at is null`.execute(db)
  expect(rows).toHaveLength(1)
  await runTask()
})

test('an erasure changes neither longer addresses with an apostrophe nor words that contain the name', async () => {
  await env.signIn('user', 'neil@acme.test', acme)
  await env.signIn('user', "o'neil@acme.test", acme)
  expect(await admin('PATCH', '/admin/users', { email: 'neil@acme.test', name: 'Mai' })).toMatchObject({ status: 200 })
  await admin('PATCH', '/admin/users', { email: 'neil@acme.test', name: 'User' })
  await erasedBy(admin, 'neil@acme.test')
  expect(await tablesWithout("o'neil@acme.test", 'neil@acme.test')).toEqual([])
  const { rows: users } = await sql`select from portal_user where email = ${"o'neil@acme.test"}`.execute(db)
  expect(users).toHaveLength(1)
  const { rows } = await sql`
    select before, after from audit where call = 'people.change' order by id desc limit 1`.execute(db)
  const email = expect.stringMatching(/^erased-/)
  expect(rows).toEqual([
    {
      before: { email, name: 'Mai', userType: 'user' },
      after: { email, name: expect.stringMatching(/^erased person/), userType: 'user' },
    },
  ])
})

test('an erasure does not delete the factors of an account that another organisation has opened in the meantime', async () => {
  await env.signIn('user', 'mover@third.test', acme)
  expect(await admin('POST', '/privacy/erasures', { email: 'mover@third.test' })).toMatchObject({ status: 200 })
  await sql`delete from portal_user where email = 'mover@third.test'`.execute(db)
  const movedUser = await env.signIn('user', 'mover@third.test', other)
  await runTask()
  expect(await movedUser('GET', '/user/me')).toMatchObject({ status: 200 })
})

test("lists a superadmin's erasure for superadmins under each organisation, and not for admins", async () => {
  const superadmin = await env.signIn('superadmin', 'operator@trainyard.test', null)
  const email = 'leaver@acme.test'
  await env.signIn('user', email, acme)
  expect(await superadmin('POST', '/privacy/erasures', { email })).toMatchObject({ status: 200 })
  const listedFor = async (by: typeof admin, query = '') =>
    (await by('GET', `/privacy/erasures${query}`)).body.erasures.map((row: { email: string | null }) => row.email)
  expect(await listedFor(superadmin, '?organization=Acme')).toContain(email)
  expect(await listedFor(superadmin, '?organization=Other')).toContain(email)
  expect(await listedFor(admin)).not.toContain(email)
})

test('deletes rows older than the retention of their organisation, and no rows of other organisations', async () => {
  const change = (by: typeof admin, body: object) => by('PATCH', '/privacy/settings', body)
  const settings = { signInDays: 30, webhookDays: 5, responsible: 'Acme Training', contact: 'privacy@acme.test' }
  expect(await change(admin, settings)).toMatchObject({ status: 200 })
  expect(await change(admin, { organization: 'Other', signInDays: 1 })).toMatchObject({ status: 404 })
  expect(await change(admin, { webhookDays: 0 })).toMatchObject({ status: 400 })
  expect((await admin('GET', '/privacy/settings')).body).toMatchObject({ ...settings, emailDays: null })
  expect((await admin('GET', '/privacy/notice')).body).toEqual({
    responsible: 'Acme Training',
    contact: 'privacy@acme.test',
    purpose: null,
    noticeUrl: null,
  })
  await sql`delete from webhook_event`.execute(db)
  await sql`
    insert into webhook_event (organisation_id, type, resource, data, created_at)
    select organisation, 'hand.raised', age, '{}', portal_now() - make_interval(days => age::int)
    from unnest(array[${acme}, ${other}]::uuid[]) organisation, unnest(array['4', '6']) age`.execute(db)
  await sql`
    insert into session (token_hash, user_id, expires_at, seen_at)
    select sha256((email || age)::bytea), id, portal_now(), portal_now() - make_interval(days => age::int)
    from portal_user, unnest(array['29', '31']) age where role = 'admin'`.execute(db)
  const remaining = async () => {
    const { rows } = await sql<{ events: string[]; sessions: number }>`
      select array(select o.name || ' ' || resource from webhook_event join organisation o on o.id = organisation_id
          order by 1) as events,
        (select count(*) from session where seen_at < portal_now() - interval '1 day') as sessions`.execute(db)
    return rows[0]!
  }
  expect((await remaining()).sessions).toBe(4)
  const runRetention = () => applyRetention(env.parts.db, new AbortController().signal)
  await runRetention()
  await runRetention()
  expect(await remaining()).toEqual({ events: ['Acme 4', 'Other 4', 'Other 6'], sessions: 3 })
})

/** Returns the tables like `tablesWith`, but ignores occurrences within a longer text. */
async function tablesWithout(searchText: string, text: string): Promise<string[]> {
  const found: string[] = []
  for (const table of await tablesWith(text)) {
    const { rows } = await sql<{ there: boolean }>`
      select exists (select from ${sql.raw(table)} t
        where position(${text} in replace(lower(t::text), ${searchText}, '')) > 0) as there`.execute(db)
    if (rows[0]!.there) found.push(table)
  }
  return found
}

test('e-mails name the privacy notice of the user’s organisation, or the notice of the portal', async () => {
  const noticeUrl = 'https://acme.test/privacy?a=1&b=2'
  await env.signIn('user', 'asha@acme.test', acme)
  await env.signIn('user', 'ravi@other.test', other)
  await env.worker()
  const operator = await env.signIn('superadmin', 'operator@trainyard.test', null)
  expect(await admin('PATCH', '/privacy/settings', { noticeUrl })).toMatchObject({ status: 200 })
  for (const email of ['asha@acme.test', 'ravi@other.test']) await operator('POST', '/user/forgot', { email })
  const mails = await until(
    'both e-mails arrive',
    async () => {
      const truth = (await env.truth('mails')) as unknown as { mails: { to: string[]; text: string }[] }
      return truth.mails.filter(({ to }) => /^(?:asha|ravi)@/.test(to[0]!))
    },
    (found) => found.length === 2,
  )
  const notices = new Map(mails.map(({ to, text }) => [to[0]!, /Privacy notice: (\S+)\s*$/.exec(text)?.[1]]))
  expect(notices.get('asha@acme.test')).toBe(noticeUrl)
  expect(notices.get('ravi@other.test')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/privacy$/)
})
