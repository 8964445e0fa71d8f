import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { queryDatabase } from '@trainyard/platform/test/query-database.ts'
import { createTestDatabase } from '@trainyard/platform/test/database.ts'
import { removeFolder } from '@trainyard/platform/test/remove-folder.ts'
import { writeAudit } from '@trainyard/platform/server/core/audit.ts'
import { connect } from '@trainyard/platform/server/db/client.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import {
  formerKeysIn,
  makeSigningKey,
  publicKeyOf,
  replaceSigningKey,
  signingKeyIn,
} from '@trainyard/platform/server/run/secrets/signing-key.ts'
import { runAudit } from './command.ts'
import { signAuditHead } from './head.ts'
import { sealAudit } from './seal.ts'

export interface TestAudit {
  readonly db: Db
  readonly owner: Db
  readonly folder: string
  readonly publicKey: string
  readonly output: readonly string[]
  write(...calls: string[]): Promise<void>
  seal(): Promise<void>
  sign(): Promise<void>
  tamper(sql: string): Promise<unknown>
  run(...args: string[]): Promise<{ code: number; lines: string[] }>
  close(): Promise<void>
}

export async function startAudit(retentionDays: number | null = null): Promise<TestAudit> {
  const database = await createTestDatabase(inject('testCluster'))
  const folder = mkdtempSync(join(tmpdir(), 'trainyard-audit-'))
  const [db, owner] = [
    connect({ connectionString: database.appUrl }, { size: 4, as: 'app' }),
    connect({ connectionString: database.url }, { size: 1, as: 'owner' }),
  ]
  const makeKey = () => makeSigningKey(folder)
  const output: string[] = []
  return {
    db,
    owner,
    folder,
    get publicKey() {
      return publicKeyOf(makeKey()).toString('hex')
    },
    output: output,
    async write(...calls) {
      for (const call of calls) {
        const request = { body: { organization: 'Acme', amount: 12.5 } }
        await writeAudit(db, { call, requestId: call, actor: null, claimed: 'root@labs.test', request })
      }
    },
    seal: () => sealAudit(db),
    sign: () => signAuditHead(db, makeKey, (sentence) => output.push(sentence)),
    tamper: (sql) => queryDatabase(database.url, sql),
    async run(...args) {
      const lines: string[] = []
      const code = await runAudit(
        {
          folder,
          retentionDays,
          key: () => signingKeyIn(folder),
          formerKeys: () => formerKeysIn(folder),
          makeKey,
          replaceKey: (lastPosition) => replaceSigningKey(folder, lastPosition),
          withDb: (as, work) => work(as === 'owner' ? owner : db),
          print: (line) => lines.push(line),
          printError: (sentence) => lines.push(sentence),
        },
        args,
      )
      return { code, lines }
    },
    async close() {
      await Promise.all([db.destroy(), owner.destroy()])
      await database.drop()
      removeFolder(folder)
    },
  }
}

/** Texts of eight rows. Row n has the ID n. */
export const EIGHT = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'] as const
