import ssh2 from 'ssh2'
import { expect, test } from 'vitest'
import { Database } from '@trainyard/platform/emulator/record/database.ts'
import { HostKeys } from './host-keys.ts'

test('creates usable, unique keys for all machines, also after a change', () => {
  const database = new Database(':memory:', 'normal')
  const keys = new HostKeys(database)
  const fingerprints = new Set<string>()
  for (let number = 0; number < 1_000; number += 1) {
    const uid = `machine ${number}`
    for (const pem of [keys.get(uid), (keys.change(uid), keys.get(uid))]) {
      const key = ssh2.utils.parseKey(pem)
      if (key instanceof Error) throw key
      fingerprints.add(key.getPublicSSH().toString('base64'))
    }
    expect(keys.get(uid)).toBe(keys.get(uid))
  }
  expect(fingerprints.size).toBe(2_000)
  database.close()
})
