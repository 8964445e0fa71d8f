/** @module-tag full */
import { expect, test } from 'vitest'
import type { Machine } from '@trainyard/machines/contract/machine.ts'
import { createSubjects, PEOPLE } from '@trainyard/platform/test/world.ts'
import { sharedPortal } from '@trainyard/platform/test/shared.ts'
import { readConfig } from '@trainyard/platform/server/config/config.ts'
import { readKeyFile } from '@trainyard/platform/server/run/secrets/keys.ts'
import { makeSeal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { checkStoredSecrets } from '@trainyard/platform/server/run/secrets/stored-secrets.ts'
import { rotateCommand } from './rotate-command.ts'

const portal = await sharedPortal({ SECRET_KEYS: '' })
const { own } = await createSubjects(portal)
const { db, seal } = portal.app
const admin = await portal.sessionOf(PEOPLE.admin)

/** Runs the command as another process would, with the settings and the key file as they are now. */
function rotate(...args: string[]): Promise<string> {
  const { config, secrets } = readConfig(portal.settings)
  return rotateCommand(config, secrets, args)
}
const keyFile = () => readKeyFile(portal.app.config.dataDir)
const keyIds = async () => (await checkStoredSecrets(db, keyFile())).map(({ keyId }) => keyId)

async function passwordOf(name: string): Promise<string | null> {
  const query = { trainingName: own.trainingName }
  const reply = await portal.request('GET', '/azure/machines', { uid: admin, query })
  expect(reply.status).toBe(200)
  return ((await reply.json()) as Machine[]).find((machine) => machine.name === name)!.adminPass
}

test('a new key replaces the former one while calls are answered, and the former key decrypts nothing afterwards', async () => {
  const { name } = own.machine
  const password = await passwordOf(name)
  expect(password).not.toBeNull()
  const [formerKey] = keyFile()
  expect(await keyIds()).toEqual([formerKey.id])

  const rotating = new AbortController()
  const calls = (async () => {
    let count = 0
    for (; !rotating.signal.aborted; count += 1) expect(await passwordOf(name)).toBe(password)
    return count
  })()
  await expect(rotate('remove-old-keys')).resolves.toBe('There is one key only. Nothing was removed.')
  await expect(rotate('secret-key')).resolves.toMatch(/^\d+ stored secrets are now encrypted with the key k-/)
  rotating.abort()
  expect(await calls).toBeGreaterThan(3)

  const [current, ...others] = keyFile()
  expect(others).toEqual([formerKey])
  expect(await keyIds()).toEqual([current.id])
  expect(makeSeal([current]).open(seal.seal('written by the running portal', 'x'), 'x')).toBe(
    'written by the running portal',
  )
  const { id, admin_password } = await portal.owner
    .selectFrom('machine')
    .select(['id', 'admin_password'])
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  expect(() => makeSeal([formerKey]).open(admin_password!, id)).toThrow(`encrypted with the key ${current.id}`)

  await expect(rotate('remove-old-keys')).resolves.toContain(`Removed the key ${formerKey.id}.`)
  expect(keyFile()).toEqual([current])
  expect(await passwordOf(name)).toBe(password)
})

test('an interrupted rotation continues with the new key, and a key in use is not removed', async () => {
  const [current] = keyFile()
  const { id } = await portal.owner.selectFrom('machine').select('id').limit(1).executeTakeFirstOrThrow()
  await rotate('secret-key')
  const [next] = keyFile()
  await portal.owner
    .updateTable('machine')
    .set({ admin_password: makeSeal([current]).seal('left over', id) })
    .where('id', '=', id)
    .execute()
  await expect(rotate('remove-old-keys')).rejects.toThrow(`Stored secrets still need the key ${current.id}.`)
  await expect(rotate('secret-key')).resolves.toMatch(/^1 stored secret is now/)
  expect(keyFile()[0]).toEqual(next)
  expect(await keyIds()).toEqual([next.id])
})

test('a key of the settings that all secrets have already is nothing to do', async () => {
  const keys = keyFile()
  const SECRET_KEYS = keys.map(({ id, bytes }) => `${id}:${bytes.toString('base64')}`).join(',')
  const { config, secrets } = readConfig({ ...portal.settings, SECRET_KEYS })
  await expect(rotateCommand(config, secrets, ['secret-key'])).resolves.toContain('nothing to do')
})

test('a rotation with a key that decrypts nothing is refused, and changes neither keys nor secrets', async () => {
  const keys = keyFile()
  const wrongKeys = keys.map(({ id }) => `${id}:${Buffer.alloc(32, 9).toString('base64')}`).join(',')
  const { config, secrets } = readConfig({ ...portal.settings, SECRET_KEYS: wrongKeys })
  const rotated = rotateCommand(config, { ...secrets, keysInFile: true }, ['secret-key'])
  await expect(rotated).rejects.toThrow(/decrypts? none of the \d+ stored secrets/)
  expect(keyFile()).toEqual(keys)
  expect(await keyIds()).toEqual([keys[0].id])
})
