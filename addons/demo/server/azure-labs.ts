import { randomUUID } from 'node:crypto'
import type { SandboxId, SandboxUserId, UserId } from '@trainyard/platform/contract/words/ids.ts'
import { SANDBOX_HOURS } from '@trainyard/platform/contract/words/limits.ts'
import { paise, type Paise } from '@trainyard/platform/contract/words/money.ts'
import { groupNameOf } from '@trainyard/lab-users/contract/sandbox-words.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { makePassword } from '@trainyard/machines/server/credentials.ts'
import { CREDITS } from '@trainyard/sandbox-azure/server/azure/create-user.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import type { HashOf } from './organisations.ts'
import { DAY, HOUR } from './past-days.ts'

interface DemoLab {
  readonly email: string
  readonly ago: number
  readonly days: number
  readonly sandboxes: readonly { readonly name: string; readonly location: string }[]
  readonly past: readonly { readonly name: string; readonly daysAgo: number; readonly used: Paise }[]
}

const LABS: readonly DemoLab[] = [
  {
    email: 'sandbox@demo.test',
    ago: 3,
    days: 14,
    sandboxes: [
      { name: 'web', location: 'southindia' },
      { name: 'data', location: 'eastus' },
    ],
    past: [
      { name: 'first', daysAgo: 3, used: paise(8_460) },
      { name: 'net', daysAgo: 2, used: paise(12_985) },
    ],
  },
  {
    email: 'priya.nair@labs.test',
    ago: 1,
    days: 7,
    sandboxes: [{ name: 'k8s', location: 'westus' }],
    past: [],
  },
  { email: 'rohan.das@labs.test', ago: 0, days: 30, sandboxes: [], past: [] },
]

export async function addAzureLabs(tx: Tx, seal: Seal, hashOf: HashOf, now: Date): Promise<void> {
  for (const lab of LABS) {
    const { id: account } = await tx
      .insertInto('portal_user')
      .values({ email: lab.email, role: 'sandboxuser', organisation_id: null, password_hash: hashOf(lab.email) })
      .onConflict((on) => on.column('email').doUpdateSet({ role: 'sandboxuser' }))
      .returning('id')
      .executeTakeFirstOrThrow()
    await addLab(tx, seal, lab, account, now)
  }
}

async function addLab(tx: Tx, seal: Seal, lab: DemoLab, account_id: UserId, now: Date): Promise<void> {
  const id = randomUUID() as SandboxUserId
  const start_at = new Date(now.getTime() - lab.ago * DAY)
  const end_at = new Date(start_at.getTime() + lab.days * DAY)
  await tx
    .insertInto('azure_user')
    .values({
      id,
      email: lab.email,
      personal_email: `${lab.email.split('@', 1)[0]}@home.test`,
      account_id,
      days: lab.days,
      start_at,
      end_at,
      first_password: seal.seal(makePassword(), id),
      total_paise: CREDITS,
      consumed_paise: paise(lab.past.reduce((sum, { used }) => sum + used, 0)),
    })
    .execute()
  for (const { name, location } of lab.sandboxes) {
    await tx
      .insertInto('sandbox')
      .values({
        group_name: groupNameOf(id, name),
        azure_user_id: id,
        location,
        created_at: now,
        delete_at: new Date(Math.min(now.getTime() + SANDBOX_HOURS * HOUR, end_at.getTime())),
      })
      .execute()
  }
  for (const past of lab.past) await addPast(tx, id, past, now)
}

async function addPast(tx: Tx, user: SandboxUserId, past: DemoLab['past'][number], now: Date): Promise<void> {
  const id = randomUUID() as SandboxId
  const created_at = new Date(now.getTime() - past.daysAgo * DAY + HOUR)
  const ended_at = new Date(created_at.getTime() + 8 * HOUR)
  await tx
    .insertInto('sandbox')
    .values({
      id,
      group_name: groupNameOf(user, past.name),
      azure_user_id: user,
      location: 'southindia',
      created_at,
      delete_at: ended_at,
      desired: 'gone',
      create_sent_at: created_at,
      ready_at: created_at,
      metered_at: ended_at,
      blocked_at: ended_at,
      ended_at,
      reconcile_at: null,
    })
    .execute()
  await tx
    .insertInto('sandbox_charge')
    .values({
      sandbox_id: id,
      from_at: created_at,
      to_at: ended_at,
      paise: past.used,
      cost_paise: past.used,
      resources: JSON.stringify([{ kind: 'machine', name: 'lab', size: 'Standard_D2s_v3', billed: true }]),
    })
    .execute()
}
