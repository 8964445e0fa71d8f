import { sql } from 'kysely'
import type { SandboxUserId } from '../contract/words/ids.ts'
import { groupNameOf } from '@trainyard/lab-users/contract/sandbox-words.ts'
import { dueChannel } from '../server/run/reconcile/notify.ts'
import type { AzureUserRow, SandboxRow } from '@trainyard/lab-users/tables.gen.ts'
import type { Caller } from './caller.ts'
import { startEnvironment, type TestEnvironment } from './environment.ts'
import type { Truth } from './emulator.ts'
import { until } from './until.ts'

export interface LabEnvironment extends TestEnvironment {
  readonly superadmin: Caller
  labUser(name: string): Promise<LabUser>
  labTruth(): Promise<Truth>
  sandboxRow(group: string): Promise<SandboxRow>
  userRow(email: string): Promise<AzureUserRow>
  /** Creates a machine in a group as the lab user; returns the status. */
  putMachine(email: string, group: string, more?: object): Promise<number>
  /** Advances the clock in strides, and waits for all due work after each. */
  advance(seconds: number, stepSeconds?: number): Promise<void>
  settled(): Promise<void>
}

export interface LabUser {
  readonly email: string
  readonly id: SandboxUserId
  readonly call: Caller
  group(name: string): string
  create(name: string): Promise<{ status: number; message: string }>
}

export async function startLabEnvironment(): Promise<LabEnvironment> {
  const env = await startEnvironment()
  const superadmin = await env.signIn('superadmin', 'root@portal.test', null)
  const userRow = (email: string) =>
    env.db
      .selectFrom('azure_user')
      .selectAll()
      .where('email', '=', email)
      .orderBy('start_at', 'desc')
      .executeTakeFirstOrThrow()
  async function settled() {
    // Wakes the loops, which would otherwise wait for their next poll.
    await sql`select pg_notify(${dueChannel('azure_user')}, ''), pg_notify(${dueChannel('sandbox')}, '')`.execute(
      env.db,
    )
    // A single statement is used. With two, a row that ends between them would be in neither.
    const open = async () => {
      const { rows } = await sql<{ open: number }>`
        select (select count(*) from azure_user where leased_until is not null or reconcile_at <= ${env.now()}
            or (desired = 'ready' and end_at <= ${env.now()}))
          + (select count(*) from sandbox where leased_until is not null or reconcile_at <= ${env.now()}
            or (desired <> 'gone' and delete_at <= ${env.now()})) as open`.execute(env.db)
      return rows[0]!.open
    }
    await until('nothing is due', open, (count) => count === 0)
  }
  return {
    ...env,
    superadmin,
    userRow,
    settled,
    async labUser(username) {
      const created = await superadmin('POST', '/sandbox/user', {
        username,
        personalEmail: `${username}@home.test`,
        duration: 5,
      })
      if (created.status !== 200) throw new Error(JSON.stringify(created.body))
      const email = `${username}@labs.test`
      const { id } = await userRow(email)
      const ask = await env.signIn('sandboxuser', email, null)
      const group = (name: string) => groupNameOf(id, name)
      return {
        email,
        id,
        call: ask,
        group,
        async create(name) {
          const body = { resourceGroupName: group(name), resourceGroupLocation: 'southindia' }
          const reply = await ask('POST', '/sandbox/azure', body)
          return { status: reply.status, message: reply.body.message }
        },
      }
    },
    labTruth: () => env.truth('users', 'resourceGroups', 'roleAssignments', 'machines', 'calls'),
    sandboxRow: (group) =>
      env.db
        .selectFrom('sandbox')
        .selectAll()
        .where('group_name', '=', group)
        .orderBy('created_at', 'desc')
        .executeTakeFirstOrThrow(),
    async putMachine(email, resourceGroup, more = {}) {
      return (await env.control('POST', `/_as/${email}/machines`, { resourceGroup, ...more })).status
    },
    async advance(seconds, stepSeconds = 30) {
      for (let remaining = seconds; remaining > 0; remaining -= stepSeconds) {
        await env.step(Math.min(stepSeconds, remaining))
        await settled()
      }
    },
  }
}
