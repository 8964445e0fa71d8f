import pg from 'pg'
import { hashPassword } from '@trainyard/users/server/passwords.ts'
import type { Api } from '../api-process.ts'
import type { BenchCall } from './open-loop.ts'

const PASSWORD = 'a-Bench-password-1'

/** Gives learners a password, and returns the call with which each signs in. */
export async function signInCalls({ url, databaseUrl }: Api, count: number): Promise<BenchCall[]> {
  const db = new pg.Client({ connectionString: databaseUrl })
  await db.connect()
  const { rows } = await db.query<{ email: string }>(
    `update portal_user set password_hash = $1
     where id in (select id from portal_user where role = 'user' order by email limit $2) returning email`,
    [await hashPassword(PASSWORD), count],
  )
  await db.end()
  return rows.map(({ email }) => ({
    url: `${url}/user/login`,
    method: 'POST',
    body: JSON.stringify({ email, password: PASSWORD }),
  }))
}
