import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { audit } from '../contract/audit.ts'
import { writeAudit } from '@trainyard/platform/server/core/audit.ts'
import { queryDatabase } from '@trainyard/platform/test/query-database.ts'
import { startTestPortal, type TestPortal } from '@trainyard/platform/test/portal.ts'
import { removeFolder } from '@trainyard/platform/test/remove-folder.ts'
import { verifyCopy } from './verify.ts'
import { sealAudit } from './seal.ts'

type List = ReplyOf<typeof audit.list>

let portal: TestPortal
const uid: Record<string, string> = {}
const folder = mkdtempSync(join(tmpdir(), 'trainyard-audit-'))
beforeAll(async () => {
  portal = await startTestPortal(inject('testCluster'))
  await queryDatabase(
    portal.settings['DATABASE_URL']!,
    `insert into organisation (name) values ('Acme'), ('Globex');
     insert into portal_user (email, role, organisation_id)
       select role || '@' || lower(o.name) || '.test', role, o.id
       from organisation o, unnest(array['admin', 'user']) role;
     insert into portal_user (email, role) values ('root@labs.test', 'superadmin')`,
  )
  for (const email of ['root@labs.test', 'admin@acme.test', 'admin@globex.test']) {
    uid[email] = await portal.sessionOf(email)
  }
})
afterAll(async () => {
  await portal.close()
  removeFolder(folder)
})

const list = async (email: string, query: object = {}) => {
  const reply = await portal.request('GET', '/admin/audit', { uid: uid[email]!, query })
  return { status: reply.status, ...((await reply.json()) as List & { message: string }) }
}
const calls = async (email: string, query: object = {}) => (await list(email, query)).rows.map(({ call }) => call)
const change = (email: string, method: string, path: string, body: object) =>
  portal.request(method, path, { uid: uid[email]!, body })
const write = async (call: string, at: string, claimed: string, detail: Record<string, unknown> = {}) => {
  await writeAudit(portal.app.db, { call, requestId: call, actor: null, claimed, request: detail })
  await queryDatabase(portal.settings['DATABASE_URL']!, `update audit set at = '${at}' where call = '${call}'`)
}

test("records a superadmin's change for the organisation concerned, hidden from other admins", async () => {
  await change('root@labs.test', 'POST', '/admin/users', {
    email: 'new@acme.test',
    password: 'a long password 7',
    organization: 'acme',
    userType: 'user',
  })
  await change('root@labs.test', 'POST', '/admin/organization', { organization: 'Initech' })
  expect(await calls('root@labs.test')).toEqual(['organisation.create', 'user.create'])
  const { rows } = await list('admin@acme.test')
  expect(rows).toMatchObject([
    {
      call: 'user.create',
      person: 'root@labs.test',
      role: 'superadmin',
      organization: 'Acme',
      address: '127.0.0.1',
      refused: null,
      detail: { body: { email: 'new@acme.test', userType: 'user' } },
    },
  ])
  expect(JSON.stringify(rows)).not.toContain('a long password')
  expect(await calls('admin@globex.test')).toEqual([])
})

test('records a failed sign-in for the organisation of the given user', async () => {
  await portal.request('POST', '/user/login', { body: { email: 'user@globex.test', password: 'guessed wrongly' } })
  expect((await list('admin@globex.test')).rows).toMatchObject([
    { call: 'session.login', person: 'user@globex.test', refused: 'signedOut', organization: 'Globex' },
  ])
  expect(await calls('admin@acme.test')).toEqual(['user.create'])
})

test('records values before and after a change', async () => {
  await change('root@labs.test', 'PATCH', '/admin/organization/profile', { organization: 'Globex', creditLimit: 500 })
  await change('admin@globex.test', 'PATCH', '/admin/organization/security', { idleMinutes: 30 })
  await change('root@labs.test', 'DELETE', '/admin/users', { email: 'user@acme.test', organization: 'Acme' })
  expect((await list('admin@globex.test')).rows).toMatchObject([
    { call: 'organisation.changeSecurity', before: { idleMinutes: null }, after: { idleMinutes: 30 } },
    { call: 'organisation.changeProfile', before: { creditLimit: 0 }, after: { creditLimit: 500 } },
    { call: 'session.login', before: null, after: null },
  ])
  const [deleted] = (await list('admin@acme.test', { call: 'user.remove' })).rows
  expect(deleted).toMatchObject({ before: { email: 'user@acme.test', userType: 'user' }, after: null })
  await queryDatabase(
    portal.settings['DATABASE_URL']!,
    `insert into portal_user (email, role, organisation_id) select 'user@acme.test', 'user', id from organisation
     where name = 'Acme'`,
  )
})

test('shows the details of rejected calls to superadmins, but not to admins', async () => {
  const user = await portal.sessionOf('user@globex.test')
  await portal.request('DELETE', '/admin/users', { uid: user, query: { trainingName: 'of Acme' } })
  const [removal] = (await list('root@labs.test', { person: 'user@globex.test', call: 'user.remove' })).rows
  expect(removal).toMatchObject({ refused: 'forbidden', detail: { query: { trainingName: 'of Acme' } } })
  const [ownRemoval] = (await list('admin@globex.test', { call: 'user.remove' })).rows
  expect(ownRemoval).toMatchObject({ refused: 'forbidden', detail: null })
})

test("records a superadmin's change of a user for that user's organisation", async () => {
  await change('root@labs.test', 'PATCH', '/admin/users', { email: 'User@Globex.test', userType: 'admin' })
  await change('root@labs.test', 'PATCH', '/admin/users', { email: 'user@globex.test', userType: 'user' })
  expect((await list('admin@globex.test', { call: 'people.change' })).rows).toMatchObject([
    { call: 'people.change', person: 'root@labs.test', organization: 'Globex', before: { userType: 'admin' } },
    { call: 'people.change', person: 'root@labs.test', organization: 'Globex', before: { userType: 'user' } },
  ])
  expect(await calls('admin@acme.test', { call: 'people.change' })).toEqual([])
})

test('shows changes that a superadmin makes in another organisation only to the admins of that one', async () => {
  await queryDatabase(
    portal.settings['DATABASE_URL']!,
    `insert into portal_user (email, role, organisation_id)
       select 'chief@acme.test', 'superadmin', id from organisation where name = 'Acme'`,
  )
  uid['chief@acme.test'] = await portal.sessionOf('chief@acme.test')
  await change('chief@acme.test', 'PATCH', '/admin/users', { email: 'user@globex.test', name: 'Of Globex' })
  await change('chief@acme.test', 'POST', '/admin/organization', { organization: 'Umbrella' })
  await change('chief@acme.test', 'PATCH', '/admin/users', { email: 'user@acme.test', name: 'Of Acme' })
  const by = { person: 'chief@acme.test' }
  expect((await list('admin@acme.test', by)).rows.map(({ after }) => after)).toMatchObject([{ name: 'Of Acme' }])
  expect((await list('admin@globex.test', by)).rows.map(({ after }) => after)).toMatchObject([{ name: 'Of Globex' }])
  expect(await calls('root@labs.test', by)).toEqual(['people.change', 'organisation.create', 'people.change'])
})

describe('search', () => {
  beforeAll(async () => {
    await write('test.first', '2026-01-01T10:00:00Z', 'user@acme.test', { body: { machine: 'ty-linux-101-07' } })
    await write('test.second', '2026-01-02T10:00:00Z', 'user@acme.test', { body: { training: 'Größe 5' } })
    await write('test.third', '2026-01-03T10:00:00Z', 'user@globex.test', { body: { machine: 'ty-linux-101-08' } })
  })
  const root = 'root@labs.test'
  test.each<[string, string, object, string[]]>([
    ['by the beginning of a word', root, { text: 'linux 101 0' }, ['test.third', 'test.first']],
    ['by a whole name', root, { text: 'TY-Linux-101-07' }, ['test.first']],
    ['by words of other alphabets', root, { text: 'größ' }, ['test.second']],
    ['by an e-mail within the text', root, { text: 'user@acme.test ty' }, ['test.first']],
    ['by person', root, { person: ' User@Acme.test ' }, ['test.second', 'test.first']],
    ['by call', root, { call: 'test.third' }, ['test.third']],
    ['from an instant on', root, { from: '2026-01-02T10:00:00Z', person: 'user@acme.test' }, ['test.second']],
    ['until before an instant', root, { until: '2026-01-02T10:00:00Z' }, ['test.first']],
    ['of the organisation that is named', root, { organization: 'globex', text: 'linux' }, ['test.third']],
    ['of one’s own organisation alone', 'admin@acme.test', { text: 'linux' }, ['test.first']],
    ['not by what reads like a query', root, { text: "linux & !101 | ':*" }, ['test.third', 'test.first']],
  ])('finds rows %s', async (_how, email, query, found) => {
    expect(await calls(email, query)).toEqual(found)
  })

  test.each([
    [{ text: '&|!' }, 'text must contain a letter or a digit.'],
    [{ text: 'x'.repeat(101) }, 'text must be at most 100 characters long.'],
    [{ person: 'raj' }, 'person must be an e-mail address such as name@example.com.'],
    [{ call: "x'; drop table audit" }, 'call must be a call such as machine.order.'],
    [{ from: 'yesterday' }, 'from is not valid.'],
    [{ before: '2026-13-01T10:00:00.000000Z.1' }, 'before must be a cursor from an earlier reply.'],
    [{ organisation: 'acme' }, 'organisation is not a known field.'],
  ])('rejects the filter %j with 400, naming the field', async (query, sentence) => {
    expect(await list(root, query)).toMatchObject({ status: 400, message: sentence })
  })

  test('returns the same reply for another organisation and for an unknown organisation', async () => {
    const absent = await list('admin@acme.test', { organization: 'nobody' })
    expect(absent.status).toBe(404)
    expect((await list('admin@acme.test', { organization: 'Globex' })).message).toBe(absent.message)
  })
})

test('pages without duplicates or gaps, also if timestamps are equal', async () => {
  await queryDatabase(
    portal.settings['DATABASE_URL']!,
    `insert into audit (request_id, call, detail, actor_email, at)
     select 'x', 'page.row', jsonb_build_object('n', n), 'pages@labs.test', '2025-01-01T00:00:00.000001Z'
     from generate_series(1, 120) n`,
  )
  const pageRows: unknown[] = []
  let before: string | null = null
  do {
    const page: List = await list('root@labs.test', { person: 'pages@labs.test', ...(before !== null && { before }) })
    expect(page.rows.length).toBeLessThanOrEqual(50)
    pageRows.push(...page.rows.map(({ detail }) => (detail as { n: number }).n))
    before = page.earlier
  } while (before !== null)
  expect(pageRows).toEqual(Array.from({ length: 120 }, (_, n) => 120 - n))
})

describe('export', () => {
  const exported = async (email: string, body: object) => {
    const reply = await portal.request('POST', '/admin/audit/export', { uid: uid[email]!, body })
    return { reply, text: await reply.text() }
  }

  test('contains the requested rows as CSV without executable formulas', async () => {
    await write('file.one', '2026-02-01T10:00:00Z', 'user@acme.test', { body: { name: '=HYPERLINK("x"), "quoted"' } })
    const { reply, text } = await exported('root@labs.test', { format: 'csv', call: 'file.one' })
    expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(reply.headers.get('content-disposition')).toMatch(/^attachment; filename="audit-\d{4}-\d\d-\d\d\.csv"$/)
    expect(text.split('\r\n')).toEqual([
      'Time (UTC),Person,Access level,Organisation,Address,Call,What,Result,Details,Before,After,Position',
      '2026-02-01T10:00:00.000Z,user@acme.test,,Acme,,file.one,file.one,Done,"{""body"":{""name"":""=HYPERLINK(\\""x\\""), \\""quoted\\""""}}",,,',
      '',
    ])
  })

  test('as JSON lines can be verified row by row against the seals', async () => {
    await sealAudit(portal.app.db)
    const { text } = await exported('root@labs.test', { format: 'jsonl', text: 'linux' })
    const [head, ...lines] = text.trim().split('\n')
    expect(JSON.parse(head!)).toEqual({ selection: { text: 'linux' } })
    // The export contains the row of the export call itself, which has no seal yet.
    expect(lines).toHaveLength(3)
    const file = join(folder, 'selection.jsonl')
    const trust = { keys: new Map<string, number>(), heads: [] }
    const verdict = async (content: string) => {
      writeFileSync(file, content)
      return verifyCopy(file, trust, (look) => look(portal.app.db))
    }
    expect((await verdict(text)).findings).toEqual([])
    const { findings } = await verdict(text.replace('ty-linux-101-08', 'ty-linux-101-09'))
    expect(findings).toMatchObject([{ kind: 'changed', message: expect.stringMatching(/differs from its seal/) }])
  })

  test("contains only the rows of the admin's organisation and is audited", async () => {
    const { text } = await exported('admin@acme.test', { format: 'jsonl' })
    expect(text).toContain('ty-linux-101-07')
    expect(text).not.toContain('ty-linux-101-08')
    expect((await list('admin@acme.test')).rows[0]).toMatchObject({
      call: 'audit.export',
      person: 'admin@acme.test',
      detail: { body: { format: 'jsonl' } },
    })
    const { reply } = await exported('admin@acme.test', { format: 'csv', organization: 'Globex' })
    expect(reply.status).toBe(404)
    expect((await exported('admin@acme.test', { format: 'xlsx' })).reply.status).toBe(400)
  })

  test('contains each row once if it takes several reads', async () => {
    await queryDatabase(
      portal.settings['DATABASE_URL']!,
      `insert into audit (request_id, call, detail, actor_email)
       select 'x', 'many.row', jsonb_build_object('n', n), 'many@labs.test' from generate_series(1, 2500) n`,
    )
    const { text } = await exported('root@labs.test', { format: 'csv', person: 'many@labs.test' })
    expect(
      new Set(
        text
          .split('\r\n')
          .slice(1, -1)
          .map((line) => /n"":(\d+)/.exec(line)![1]),
      ).size,
    ).toBe(2_500)
  })
})
