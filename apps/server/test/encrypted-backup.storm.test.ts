import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '@trainyard/platform/server/config/config.ts'
import { backUp } from '@trainyard/platform/server/db/embedded/backup/back-up.ts'
import { MANIFEST, readManifest } from '@trainyard/platform/server/db/embedded/backup/manifest.ts'
import { backupCommand, restoreCommand } from '../start/backup-commands.ts'
import { queryDatabase } from '@trainyard/platform/test/query-database.ts'
import { KEYS, SECRET_KEYS, startBackupCluster } from './backup-cluster.ts'

const { dir, dataDir, settings, url, stop } = await startBackupCluster()
afterAll(stop)

test('an encrypted backup shows nothing of the data, and only its key restores it', async () => {
  const canary = 'canary-4711@labs.test'
  await queryDatabase(url, `create table canary as select '${canary}' as text`)
  const [key, other] = [await generateX25519Identity(), await generateX25519Identity()]
  const recipient = await identityToRecipient(key)
  const folder = join(dir, 'encrypted')
  const plain = join(dir, 'not-encrypted')
  const { config, secrets } = readConfig({ ...settings, BACKUP_RECIPIENT: recipient })
  expect(await backupCommand(config, secrets, [folder])).toContain(`It is encrypted for ${recipient}.`)
  await backUp(dataDir, plain, { keys: KEYS, recipient: null })
  expect(filesWith(plain, canary)).not.toEqual([])
  expect(filesWith(folder, canary)).toEqual([])
  expect(filesWith(folder, 'age-encryption.org/v1').length).toBe(readManifest(folder).files.length)

  const file = (name: string, identity: string) => {
    writeFileSync(join(dir, name), `# created: 2026\n# public key: ${recipient}\n${identity}\n`)
    return join(dir, name)
  }
  const there = readConfig({ TRAINYARD_DATA: join(dir, 'decrypted'), SECRET_KEYS })
  const restore = (...args: string[]) => restoreCommand(there.config, there.secrets, [folder, ...args])
  await expect(restore()).rejects.toThrow(`is encrypted for ${recipient}. Name the file with its key`)
  await expect(restore('--identity', file('other.key', other))).rejects.toThrow('The key does not decrypt')
  await expect(restore('--identity', join(folder, MANIFEST))).rejects.toThrow('has no age key')
  expect(await restore('--identity', file('backup.key', key))).toMatch(/all invariants hold/)

  const [first] = readManifest(folder).files
  const changed = join(folder, 'postgres', `${first!.path}.age`)
  const bytes = readFileSync(changed)
  bytes[bytes.length - 1]! ^= 1
  writeFileSync(changed, bytes)
  const again = readConfig({ TRAINYARD_DATA: join(dir, 'changed'), SECRET_KEYS })
  await expect(
    restoreCommand(again.config, again.secrets, [folder, '--identity', join(dir, 'backup.key')]),
  ).rejects.toThrow(`${first!.path} differs from the file that was backed up`)
}, 180_000)

const filesWith = (folder: string, text: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => readFileSync(path).includes(text))
