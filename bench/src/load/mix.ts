import pg from 'pg'
import { adminEmail, SUPERADMIN, trainingName } from '../seed/size.ts'
import { sendCall, type BenchCall } from './open-loop.ts'

export const TRAINING = new URLSearchParams({ trainingName: trainingName(1) }).toString()

interface Of {
  readonly url: string
  readonly databaseUrl: string
  session(email: string): Promise<string>
}

export async function mixOf({ url, session, databaseUrl }: Of, busy: number): Promise<BenchCall[]> {
  const calls: BenchCall[] = []
  const learners = await learnersOf(databaseUrl)
  for (let organisation = 1; organisation <= busy; organisation++) {
    const admin = await session(adminEmail(organisation))
    const query = `organization=Organisation+${organisation}`
    const emails = learners.filter((email) => email.endsWith(`@org${organisation}.test`)).slice(0, 7)
    for (const [index, email] of emails.entries()) {
      const uid = await session(email)
      const path = [`/azure/machines?${TRAINING}`, '/user/me', `/azure/billing?${TRAINING}`][index % 3]!
      calls.push({ url: url + path, session: uid })
    }
    calls.push({ url: `${url}/azure/machines?${TRAINING}`, session: admin })
    calls.push({ url: `${url}/admin/home?${query}`, session: admin })
    calls.push({ url: `${url}/admin/dashboard`, session: await session(SUPERADMIN) })
  }
  // Make each call once, so that no first call is measured.
  for (const call of calls) {
    const status = await sendCall(call)
    if (status !== 200) throw new Error(`${call.url} answered ${status}`)
  }
  return calls
}

export async function learnersOf(databaseUrl: string): Promise<string[]> {
  const db = new pg.Client({ connectionString: databaseUrl })
  await db.connect()
  const { rows } = await db.query<{ email: string }>(
    'select distinct m.email from machine m join training t on t.id = m.training_id where t.name = $1 order by 1',
    [trainingName(1)],
  )
  await db.end()
  return rows.map(({ email }) => email)
}
