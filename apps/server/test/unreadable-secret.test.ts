import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Machine } from '@trainyard/machines/contract/machine.ts'
import { createSubjects, PEOPLE } from '@trainyard/platform/test/world.ts'
import { sharedPortal } from '@trainyard/platform/test/shared.ts'
import { specOf } from '@trainyard/machines/server/spec.ts'
import { targetOf } from '@trainyard/remote-access/server/transfer.ts'
import { awsUserKind } from '@trainyard/sandbox-aws/server/aws/step.ts'
import { azureUserKind } from '@trainyard/sandbox-azure/server/azure/user-step.ts'
import { makeSeal, type SealKey } from '@trainyard/platform/server/run/secrets/seal.ts'
import {
  checkStoredSecrets,
  requireReadableSecrets,
  storedSecrets,
} from '@trainyard/platform/server/run/secrets/stored-secrets.ts'

const LOST: SealKey = { id: 'lost', bytes: Buffer.alloc(32, 9) }
const portal = await sharedPortal()
const { own } = await createSubjects(portal)
const { db, seal, secrets } = portal.app
const owner = portal.owner

/** Encrypts the password of the named machine with a key that the portal does not have. */
async function losePassword(name: string): Promise<void> {
  const { id } = await owner.selectFrom('machine').select('id').where('name', '=', name).executeTakeFirstOrThrow()
  await owner
    .updateTable('machine')
    .set({ admin_password: makeSeal([LOST]).seal('lost', id), public_ip: '203.0.113.9', last_error: null })
    .where('id', '=', id)
    .execute()
}

test("shows why a machine's password cannot be decrypted, and lists the other machines unchanged", async () => {
  await losePassword(own.machine.name)
  const uid = await portal.sessionOf(PEOPLE.admin)
  const query = { trainingName: own.trainingName }
  const reply = await portal.request('GET', '/azure/machines', { uid, query })
  expect(reply.status).toBe(200)
  const machines = (await reply.json()) as Machine[]
  const unreadable = machines.find(({ name }) => name === own.machine.name)!
  expect(unreadable).toMatchObject({ adminPass: null, statusReason: expect.stringMatching(/key lost, .*Reset/) })
})

test('a console, a file transfer and the reconciler name the missing key instead of reporting a bug', async () => {
  await losePassword(own.machine.name)
  const machine = await owner
    .selectFrom('machine')
    .selectAll()
    .where('name', '=', own.machine.name)
    .executeTakeFirstOrThrow()
  await expect(targetOf(db, machine, seal)).rejects.toThrow(
    expect.objectContaining({ code: 'conflict', message: expect.stringContaining('key lost') }),
  )
  await expect(specOf(db, seal, machine)).rejects.toMatchObject({ kind: 'refused', final: true })
  const first_password = makeSeal([LOST]).seal('lost', 'any')
  const signal = new AbortController().signal
  const never = {} as never
  const create = async (kind: ReturnType<typeof azureUserKind> | ReturnType<typeof awsUserKind>, row: object) => {
    const table = kind.table as 'azure_user' | 'aws_user'
    const found = await owner.selectFrom(table).selectAll().limit(1).executeTakeFirstOrThrow()
    const first = (await kind.step({ ...found, first_password, ...row }, signal)) as (
      tx: never,
      locked: object,
    ) => { next: (row: object, signal: AbortSignal) => Promise<unknown> }
    const locked = { ...found, now: new Date(), desired: 'ready' }
    const { next } = first(never, locked)
    return next({ ...found, first_password }, signal)
  }
  const azure = create(azureUserKind({ identity: never, seal }), { object_id: null, desired: 'ready' })
  await expect(azure).rejects.toMatchObject({ kind: 'refused', message: expect.stringContaining('key lost') })
  const aws = create(awsUserKind({ aws: never, seal }), { ready_at: null, create_sent_at: null, desired: 'ready' })
  await expect(aws).rejects.toMatchObject({ kind: 'refused', message: expect.stringContaining('key lost') })
})

test('a call that needs a secret that cannot be decrypted names the missing key', async () => {
  const first_password = makeSeal([LOST]).seal('lost', 'any')
  await owner
    .updateTable('azure_user')
    .set({ first_password, object_id: 'known' })
    .where('ended_at', 'is', null)
    .execute()
  const uid = await portal.sessionOf(PEOPLE.sandboxuser)
  const reply = await portal.request('POST', '/sandbox/azure/signin', { uid, body: {} })
  expect(reply.status).toBe(409)
  expect(await reply.json()).toMatchObject({ message: expect.stringContaining('key lost') })
})

/** Names of columns with hashes, public keys, signatures and documents: bytes that are not encrypted. */
const NOT_ENCRYPTED =
  /(?:^|_)(?:hash|digest|chain|previous|signature|pdf|bytes|document|lane|certificate|bound_to|content)$|^(?:ticket_)?public_key$|^(?:host|agent)_key$/

test('knows every column that stores encrypted secrets', async () => {
  const { rows: columns } = await sql<{ name: string; column: string }>`
    select table_name as name, column_name as column from information_schema.columns
    join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and data_type = 'bytea'`.execute(owner)
  const encrypted = columns.filter(({ column }) => !NOT_ENCRYPTED.test(column))
  const known = storedSecrets().map(({ table, column }) => `${table}.${column}`)
  expect(known.toSorted()).toEqual(encrypted.map(({ name, column }) => `${name}.${column}`).toSorted())
})

test('reports the stored secrets per key, and refuses keys that decrypt none of them', async () => {
  await losePassword(own.machine.name)
  const found = await checkStoredSecrets(db, secrets.keys)
  expect(found).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ keyId: 'lost', opened: 0 }),
      expect.objectContaining({ keyId: 'test', opened: expect.any(Number) }),
    ]),
  )
  expect(found.find(({ keyId }) => keyId === 'test')!.opened).toBeGreaterThan(0)
  const messages: string[] = []
  const logMessage = (sentence: string) => void messages.push(sentence)
  await requireReadableSecrets(db, secrets.keys, { lost: [], logMessage })
  expect(messages).toEqual([expect.stringMatching(/key lost/)])
  const other: [SealKey] = [{ id: 'other', bytes: Buffer.alloc(32, 5) }]
  await expect(requireReadableSecrets(db, other, { lost: [], logMessage })).rejects.toThrow(
    /^The configured key other decrypts none of the \d+ stored secrets, which need the keys lost, test\./,
  )
  // A key with the same ID and different bytes decrypts nothing either.
  const same: [SealKey] = [{ id: 'test', bytes: Buffer.alloc(32, 5) }]
  await expect(requireReadableSecrets(db, same, { lost: [], logMessage })).rejects.toThrow(/decrypts none/)
  await requireReadableSecrets(db, other, { lost: ['lost', 'test'], logMessage })
})
