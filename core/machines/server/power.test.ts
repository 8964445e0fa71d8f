import { sql, type Updateable } from 'kysely'
import { describe, expect, test } from 'vitest'
import { minutesOfHours } from '@trainyard/platform/contract/words/duration.ts'
import { UNDO_HEADER } from '@trainyard/platform/contract/words/limits.ts'
import { createSubjects, PEOPLE } from '@trainyard/platform/test/world.ts'
import type { MachineTable } from '../tables.gen.ts'
import { sharedPortal } from '@trainyard/platform/test/shared.ts'
import { updateRunSums } from '@trainyard/platform/test/run-sums.ts'

const portal = await sharedPortal()
const world = await createSubjects(portal)
const machine = world.own.machine

async function send(
  row: Updateable<MachineTable>,
  path: string,
  body: readonly object[],
  headers: Readonly<Record<string, string>> = {},
) {
  await portal.owner.updateTable('machine').set(row).where('name', '=', machine.name).execute()
  const reply = await portal.request('PATCH', path, { uid: await portal.sessionOf(PEOPLE.admin), body, headers })
  return [reply.status, ((await reply.json()) as { message: string }).message]
}
const restart = (row: Updateable<MachineTable>) => send(row, '/azure/machinesRestart', [machine])
const power = (operation: 0 | 1, row: Updateable<MachineTable>) =>
  send(row, '/azure/machines', [{ operation }, machine])
const desiredOf = () =>
  portal.owner
    .selectFrom('machine')
    .select(['desired', 'restart_asked_at'])
    .where('name', '=', machine.name)
    .executeTakeFirstOrThrow()

const RUNNING = { observed: 'running', first_seen_at: new Date(), password_due: false, last_error: null } as const
const STOPPING = { ...RUNNING, desired: 'stopped', restart_asked_at: null } as const

test('a machine that is being stopped cannot be restarted, started or stopped, with a reason', async () => {
  expect(await restart(STOPPING)).toEqual([409, `${machine.name} is being stopped.`])
  expect(await power(1, STOPPING)).toEqual([409, `${machine.name} is being stopped.`])
  expect(await power(0, STOPPING)).toEqual([409, `${machine.name} is already being stopped.`])
  expect(await desiredOf()).toEqual({ desired: 'stopped', restart_asked_at: null })
})

test('a restart sets the desired state to running, also after a failed stop', async () => {
  const [status] = await restart({ ...STOPPING, last_error: 'The cloud refused.' })
  expect(status).toBe(200)
  expect(await desiredOf()).toEqual({ desired: 'running', restart_asked_at: expect.any(Date) })
})

test('a machine that could not be stopped at the end of its hours is not restarted', async () => {
  await sql`
    insert into run (machine_id, organisation_id, started_at, stopped_at, paise_per_hour)
    select id, organisation_id, timestamptz '2026-01-01 10:00Z', timestamptz '2026-01-01 11:00Z', paise_per_hour
    from machine where name = ${machine.name}`.execute(portal.owner)
  await updateRunSums(portal.owner, sql`name = ${machine.name}`)
  const [status, message] = await restart({
    ...STOPPING,
    last_error: 'The cloud refused.',
    allotted_minutes: minutesOfHours(1),
  })
  expect([status, message]).toEqual([409, `The allocated hours of ${machine.name} are used up.`])
})

test('delays a stop only if the stop can be undone', async () => {
  const other = world.foreign.machine.name
  const { owner } = portal
  await owner
    .updateTable('machine')
    .set({ ...STOPPING, reconcile_at: null })
    .where('name', '=', other)
    .execute()
  await sql`
    delete from operation where machine_id in (select id from machine where name in (${machine.name}, ${other}))`.execute(
    owner,
  )
  await sql`
    insert into operation (machine_id, organisation_id, kind, size_name, location, asked_at, closed_at)
    select id, organisation_id, 'stop', size_name, location, portal_now() - interval '1 hour',
      case when name = ${machine.name} then portal_now() end
    from machine where name in (${machine.name}, ${other})`.execute(owner)
  const running = { ...RUNNING, desired: 'running', allotted_minutes: null } as const
  const [status] = await send(running, '/azure/machines', [{ operation: 0 }, machine], { [UNDO_HEADER]: '1' })
  expect(status).toBe(200)
  const { rows } = await sql<object>`
    select m.name, m.not_before is not null as waits, o.closed_at is not null as closed, o.held_until is not null as held
    from machine m join operation o on o.machine_id = m.id where m.name in (${machine.name}, ${other})
    order by m.name = ${other}, o.asked_at`.execute(owner)
  expect(rows).toEqual([
    { name: machine.name, waits: true, closed: true, held: false },
    { name: machine.name, waits: true, closed: false, held: true },
    { name: other, waits: false, closed: false, held: false },
  ])
})

describe('the first item of a power command', () => {
  const running = { ...RUNNING, desired: 'running', allotted_minutes: null, not_before: null } as const
  const delayed = async () => {
    const { not_before } = await portal.owner
      .selectFrom('machine')
      .select('not_before')
      .where('name', '=', machine.name)
      .executeTakeFirstOrThrow()
    return not_before !== null
  }

  test('contains only the operation', async () => {
    for (const operation of [0, 1]) {
      const first = { operation, undoable: true }
      expect(await send(running, '/azure/machines', [first, machine])).toEqual([
        400,
        'undoable is not a known field of (item 1).',
      ])
    }
  })

  test('stops at once unless the client requests undo in a header', async () => {
    expect((await power(0, running))[0]).toBe(200)
    expect(await delayed()).toBe(false)
    expect((await send(running, '/azure/machines', [{ operation: 0 }, machine], { [UNDO_HEADER]: '1' }))[0]).toBe(200)
    expect(await delayed()).toBe(true)
  })

  test('is refused with a header of another value', async () => {
    const headers = { [UNDO_HEADER]: 'yes' }
    expect(await send(running, '/azure/machines', [{ operation: 0 }, machine], headers)).toEqual([
      400,
      `${UNDO_HEADER} must be 1.`,
    ])
    expect(await delayed()).toBe(false)
  })

  test('is described with the header in the OpenAPI document', async () => {
    const document = (await (await portal.request('GET', '/openapi.json')).json()) as {
      paths: Record<string, Record<string, { parameters?: { in: string; name: string; required?: boolean }[] }>>
    }
    expect(document.paths['/api/azure/machines']!['patch']!.parameters).toMatchObject([
      { in: 'header', name: UNDO_HEADER, required: false },
    ])
  })
})

test('machines that are reset are counted, and each gets its own new password', async () => {
  const { owner } = portal
  const both = [machine, world.foreign.machine]
  await owner
    .updateTable('machine')
    .set({ ...RUNNING, desired: 'running', reset_asked_at: null })
    .execute()
  const passwords = async () => {
    const { rows } = await sql<{ password: string; number: number; resets: number }>`
      select encode(admin_password, 'hex') as password, password_number as number, reset_count as resets from machine
      where name = any(${both.map(({ name }) => name)}) order by name`.execute(owner)
    return rows
  }
  const before = await passwords()
  const reset = async (...machines: readonly object[]) => {
    const uid = await portal.sessionOf(PEOPLE.superadmin)
    const reply = await portal.request('PATCH', '/azure/machinesReset', { uid, body: machines })
    return ((await reply.json()) as { message: string }).message
  }
  expect(await reset(...both)).toBe('2 machines are being reset. They will have new passwords.')
  const after = await passwords()
  expect(after.map(({ number, resets }) => [number, resets])).toEqual(
    before.map(({ number, resets }) => [number + 1, resets + 1]),
  )
  expect(new Set([...before, ...after].map(({ password }) => password)).size).toBe(4)
  await owner.updateTable('machine').set({ reset_asked_at: null }).execute()
  expect(await reset(machine)).toBe(`${machine.name} is being reset. It will have a new password.`)
})
