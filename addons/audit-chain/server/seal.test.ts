import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeAudit } from '@trainyard/platform/server/core/audit.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { setPortalClock } from '@trainyard/platform/test/clock.ts'
import { makeSigningKey, publicKeyOf } from '@trainyard/platform/server/run/secrets/signing-key.ts'
import { signEnd } from './head.ts'
import { sealAudit } from './seal.ts'
import { startAudit, type TestAudit } from './test-audit.ts'

let audit: TestAudit
beforeEach(async () => {
  audit = await startAudit()
})
afterEach(() => audit.close())

const sealed = async () => {
  const rows = await audit.db
    .selectFrom('audit_seal')
    .innerJoin('audit', 'audit.id', 'audit_seal.audit_id')
    .select(['call', 'position'])
    .orderBy('position')
    .execute()
  return rows.map(({ call }) => call)
}

/** Writes a row in an open transaction. The returned function ends the transaction. */
async function openTransaction(db: Db, call: string): Promise<(end: 'commit' | 'rollback') => Promise<void>> {
  const tx = await db.startTransaction().execute()
  await writeAudit(tx, { call, requestId: call, actor: null, request: {} })
  return async (end) => {
    await tx[end]().execute()
  }
}

test('seals a row that commits late after earlier commits, which do not wait for the row', async () => {
  const lateTransaction = await openTransaction(audit.db, 'late')
  const uncommitted = await openTransaction(audit.db, 'never')
  await audit.write('early')
  await audit.seal()
  expect(await sealed()).toEqual(['early'])
  await audit.write('later')
  await audit.seal()
  await uncommitted('rollback')
  await lateTransaction('commit')
  await audit.seal()
  await audit.seal()
  expect(await sealed()).toEqual(['early', 'later', 'late'])
  expect(await audit.run('verify')).toMatchObject({ code: 0 })
})

test('seals each row once with many concurrent writers and sealers', async () => {
  const sealing = async () => {
    for (let n = 0; n < 10; n += 1) await audit.seal()
  }
  await Promise.all([
    ...Array.from({ length: 20 }, (_, n) => audit.write(`a${n}`, `b${n}`, `c${n}`)),
    sealing(),
    sealing(),
  ])
  await audit.seal()
  expect((await sealed()).toSorted()).toEqual(
    ['a', 'b', 'c'].flatMap((each) => Array.from({ length: 20 }, (_, n) => `${each}${n}`)).toSorted(),
  )
  expect(await audit.run('verify')).toMatchObject({ code: 0 })
})

test('seals more rows than one batch in order', async () => {
  await audit.tamper(`insert into audit (request_id, call, detail) select 'x', 'c' || n, '{}'
    from generate_series(1, 4500) n`)
  await audit.seal()
  expect(await sealed()).toEqual(Array.from({ length: 4_500 }, (_, n) => `c${n + 1}`))
})

test('continues to seal after a restore in which transaction IDs start again', async () => {
  await audit.write('before')
  await audit.seal()
  // Simulates a restored dump: sealed and unsealed rows have higher transaction IDs than this server.
  await audit.tamper(`alter table audit_seal disable trigger user; update audit_seal set complete_below = '90000000000';
    insert into audit (request_id, call, detail, xid) values ('x', 'left', '{}', '90000000005');`)
  await audit.write('after')
  expect(await audit.run('verify')).toMatchObject({ code: 0 })
  await audit.seal()
  expect((await sealed()).toSorted()).toEqual(['after', 'before', 'left'])
  await audit.write('last')
  await audit.seal()
  expect(await sealed()).toHaveLength(4)
  expect(await audit.run('verify')).toMatchObject({ code: 0 })
})

test.each([
  ['a second row at a position', `(1, 2, sha256('x'), sha256('y'), sha256(sha256('y') || sha256('x')), '1')`],
  ['a second seal of a row', `(2, 1, sha256('x'), sha256('y'), sha256(sha256('y') || sha256('x')), '1')`],
  ['a second link after one', `(3, 2, sha256('x'), repeat('0', 32)::bytea, sha256('x'), '1')`],
  ['a link that is not of its hashes', `(2, 2, sha256('x'), sha256('y'), sha256('z'), '1')`],
  ['a seal of no row', `(2, 99, sha256('x'), sha256('y'), sha256(sha256('y') || sha256('x')), '1')`],
])('the database rejects %s', async (_what, values) => {
  await audit.write('one', 'two')
  await audit.tamper(`insert into audit_seal (position, audit_id, row_hash, previous, chain, complete_below)
    values (1, 1, sha256('x'), decode(repeat('00', 32), 'hex'), sha256(decode(repeat('00', 32), 'hex') || sha256('x')), '1')`)
  await expect(
    audit.tamper(
      `insert into audit_seal (position, audit_id, row_hash, previous, chain, complete_below) values ${values}`,
    ),
  ).rejects.toThrow(/unique constraint|check constraint|foreign key/)
})

test("allows the application's login to add seals and heads, but not to change or delete them", async () => {
  await audit.write('one')
  await audit.seal()
  for (const table of ['audit_seal', 'audit_head']) {
    for (const change of [`update ${table} set position = 9`, `delete from ${table}`, `truncate ${table}`]) {
      await expect(sql.raw(change).execute(audit.db)).rejects.toThrow('permission denied')
    }
  }
  await expect(
    sql`insert into audit_archive select 1, 1, ''::bytea, '', ''::bytea, now(), ''::bytea, ''::bytea`.execute(audit.db),
  ).rejects.toThrow('permission denied')
})

test.each([
  ['audit', `(request_id, call, detail, at) values ('x', 'x', '{}', '2020-01-01')`],
  ['audit', `(request_id, call, detail, xid) values ('x', 'x', '{}', '1')`],
  ['audit', `(id, request_id, call, detail) overriding system value values (1, 'x', 'x', '{}')`],
  [
    'audit_seal',
    `(position, audit_id, row_hash, previous, chain, complete_below, sealed_at)
    values (1, 1, sha256('x'), sha256('y'), sha256('z'), '1', '2020-01-01')`,
  ],
  [
    'ledger_entry',
    `(organisation_id, kind, reference, particular, amount_paise, date, source, created_by, created_at)
    values (gen_random_uuid(), 'invoice', 'x', 'x', 1, '2026-01-01', 'manual', 'x', '2020-01-01')`,
  ],
  ['tax_document_registration', `(recorded_at) values ('2020-01-01')`],
  ['tax_document', `(created_at) values ('2020-01-01')`],
])('the application’s login cannot choose the time, transaction or ID of a row of %s', async (table, values) => {
  await audit.write('one')
  await expect(sql.raw(`insert into ${table} ${values}`).execute(audit.db)).rejects.toThrow(
    `permission denied for table ${table}`,
  )
})

test('reports a row with an earlier date than rows that were sealed before it', async () => {
  const messages: string[] = []
  const seal = () => sealAudit(audit.db, { logMessage: (sentence) => void messages.push(sentence) })
  await audit.write('one')
  await seal()
  await audit.write('two')
  await seal()
  expect(messages).toEqual([])
  // The owner can do this, but the application's login cannot.
  await audit.tamper(`insert into audit (request_id, call, actor_email, detail, at)
    values ('x', 'backdated', 'mallory@labs.test', '{}', portal_now() - interval '2 hours')`)
  await seal()
  expect(messages).toEqual([
    expect.stringMatching(
      /^Audit row \d+ \(backdated by mallory@labs\.test\) is dated .*Z, hours before it was written/,
    ),
  ])
  await seal()
  expect(messages).toHaveLength(1)
  expect((await audit.run('verify')).lines).toContain(messages[0])
})

test('signs and logs the head once a day, and only if rows were added', async () => {
  await audit.sign()
  expect(audit.output).toEqual([])
  await audit.write('one')
  await audit.seal()
  await audit.sign()
  await audit.write('two')
  await audit.seal()
  await audit.sign()
  expect(audit.output).toEqual([expect.stringMatching(/^Signed audit head: \{"position":1,"chain":"[0-9a-f]{64}"/)])
  await setPortalClock(audit.owner, { ahead: 86_400 })
  await audit.sign()
  await audit.sign()
  expect(audit.output).toHaveLength(2)
  await setPortalClock(audit.owner, { ahead: 2 * 86_400 })
  await audit.sign()
  expect(audit.output).toHaveLength(2)
})

test('after a rotation accepts the former key for everything that it signed, and for nothing later', async () => {
  await audit.write('one', 'two')
  const formerKey = makeSigningKey(audit.folder)
  await audit.seal()
  await audit.sign()
  const { code, lines } = await audit.run('rotate-key')
  expect(code).toBe(0)
  expect(lines).toContainEqual(expect.stringMatching(/^The audit is signed with a new key from position 3\./))
  expect(audit.publicKey).not.toBe(publicKeyOf(formerKey).toString('hex'))
  expect((await audit.run('verify')).code).toBe(0)
  const rotated = await audit.db.selectFrom('audit').select('call').orderBy('id', 'desc').executeTakeFirst()
  expect(rotated?.call).toBe('audit.rotateKey')

  await audit.write('three')
  await audit.seal()
  await signEnd(audit.db, formerKey, () => undefined)
  const forged = await audit.run('verify')
  expect(forged.code).toBe(1)
  expect(forged.lines[0]).toContain(publicKeyOf(formerKey).toString('hex'))
})
