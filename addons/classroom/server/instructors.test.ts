import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { ClassView } from '../contract/classroom.ts'
import { INSTRUCTOR } from '@trainyard/trainings/contract/training-words.ts'
import { openEventStream } from '@trainyard/platform/test/event-stream.ts'
import { machinesOf, order, RATE } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { until } from '@trainyard/platform/test/until.ts'

const env = await sharedEnvironment()
await env.worker()
const acme = await env.organisation('Acme Learning')
const globex = await env.organisation('Globex')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
const root = await env.signIn('superadmin', 'root@portal.test', null)
const learner = await env.signIn('user', 'learner@acme.test', acme)
const teacher = await env.signIn('user', 'teacher@acme.test', acme)
await env.signIn('user', 'learner@globex.test', globex)
await admin('POST', '/azure/machines', order('Linux', ['learner@acme.test']))
await admin('POST', '/azure/machines', order('Secret', ['teacher@acme.test', 'pupil@acme.test']))
const [machine] = await machinesOf(admin, 'Linux')
const machineRef = { name: machine!.name, resourceGroup: machine!.resourceGroup }
const [own] = await machinesOf(teacher, 'Secret')
await until(
  'the machines run',
  async () => [...(await machinesOf(admin, 'Linux')), ...(await machinesOf(admin, 'Secret'))],
  (all) => all.every(({ status }) => status === 'Running'),
)

const TRAINING_QUERY = 'trainingName=Linux'
const inClass = { trainingName: 'Linux' }
const add = (email: string, as = admin) => as('POST', '/azure/class/instructors', { ...inClass, email })
const remove = (email: string, as = admin) => as('DELETE', `/azure/class/instructors?${TRAINING_QUERY}&email=${email}`)
const listed = async () => {
  const { body } = await admin('GET', `/azure/class/instructors?${TRAINING_QUERY}`)
  return (body.instructors as { email: string }[]).map(({ email }) => email)
}

describe('an admin', () => {
  test('makes a user an instructor, also repeatedly, and removes the instructor', async () => {
    expect((await teacher('GET', `/azure/class?${TRAINING_QUERY}`)).status).toBe(403)
    expect(await add('Teacher@acme.test')).toMatchObject({
      status: 200,
      body: { message: INSTRUCTOR.added('teacher@acme.test', 'Linux') },
    })
    expect((await add('teacher@acme.test')).body.message).toBe(INSTRUCTOR.isInstructor('teacher@acme.test'))
    expect(await listed()).toEqual(['teacher@acme.test'])
    expect((await remove('teacher@acme.test')).body.message).toBe(INSTRUCTOR.removed('teacher@acme.test', 'Linux'))
    expect((await remove('teacher@acme.test')).status).toBe(200)
    expect(await listed()).toEqual([])
  })

  test('invites an instructor without an account, with the access level user', async () => {
    expect((await add('freelance@elsewhere.test')).status).toBe(200)
    const { rows } = await sql<{ role: string; invitations: number }>`
      select role, (select count(*)::int from invitation where user_id = u.id) as invitations
      from portal_user u where email = 'freelance@elsewhere.test'`.execute(env.db)
    expect(rows).toEqual([{ role: 'user', invitations: 1 }])
  })

  test('cannot add an admin, or a user or training of another organisation', async () => {
    const foreign = await add('learner@globex.test')
    expect(foreign.status).toBe(409)
    expect(JSON.stringify(foreign.body)).not.toContain('Globex')
    expect(await add('admin@acme.test')).toMatchObject({
      status: 409,
      body: { message: INSTRUCTOR.leadsAlready('admin@acme.test', 'admin') },
    })
    const foreignAdmin = await env.signIn('admin', 'admin@globex.test', globex)
    expect((await add('learner@globex.test', foreignAdmin)).status).toBe(404)
    expect((await add('teacher@acme.test', learner)).status).toBe(403)
  })
})

describe('an instructor', () => {
  test('leads the class at any time: sees every learner without passwords, and sees no price', async () => {
    await add('teacher@acme.test')
    expect((await teacher('GET', '/user/me')).body).toMatchObject({ userType: 'user', instructorOf: ['Linux'] })
    expect((await teacher('GET', '/azure/trainingName?organization=Acme Learning')).body.trainingNames).toEqual([
      'Linux',
      'Secret',
    ])
    const { status, body } = await teacher('GET', `/azure/class?${TRAINING_QUERY}`)
    expect(status).toBe(200)
    const { seats } = body as ClassView
    expect(seats.map((seat) => [seat.machine.email, seat.machine.adminPass])).toEqual([['learner@acme.test', null]])
    expect(JSON.stringify(body)).not.toMatch(new RegExp(`:(${RATE}|${RATE / 100})[,}]`))
    // The lists of machines, runs and bills still contain only the instructor's own machines. This training has none of
    // them.
    expect((await teacher('GET', `/azure/machines?${TRAINING_QUERY}`)).body).toEqual([])
    expect((await teacher('GET', `/azure/billing?${TRAINING_QUERY}`)).body).toMatchObject({ Amount: 0, Duration: 0 })
    expect((await teacher('GET', `/azure/billing/runs?vmName=${machineRef.name}`)).status).toBe(404)
  })

  test('announces, lowers hands, extends, plans schedules, and commands the machines of the class', async () => {
    await learner('POST', '/azure/class/hand', inClass)
    expect((await teacher('DELETE', `/azure/class/hand?${TRAINING_QUERY}&email=learner@acme.test`)).status).toBe(200)
    expect((await teacher('POST', '/azure/class/hand', inClass)).status).toBe(404)
    const text = { ...inClass, text: 'We continue at ten.', minutes: 5 }
    expect((await teacher('POST', '/azure/class/announcement', text)).status).toBe(200)
    const window = { restrictUserLogin: true, userAccessOnTime: '00:00', userAccessOffTime: '00:01' }
    const planned = await teacher('POST', '/azure/schedules', {
      ...inClass,
      data: { schedules: [{ action: 'Stop', date: '2099-12-31', time: '18:00' }], restrictLogin: window },
    })
    expect(planned.status).toBe(200)
    // The access window limits learners only.
    expect((await teacher('GET', `/azure/machines?${TRAINING_QUERY}`)).status).toBe(200)
    expect((await teacher('PATCH', '/azure/machinesRestart', [machineRef])).status).toBe(200)
    expect((await teacher('PATCH', '/azure/machinesReset', [machineRef])).status).toBe(200)
    expect((await teacher('POST', '/azure/class/extension', { ...inClass, open: true })).status).toBe(200)
    // Instructors see no prices.
    expect((await teacher('GET', `/azure/class/startable?trainingName=${inClass.trainingName}`)).body).toMatchObject({
      machines: expect.not.arrayContaining([expect.objectContaining({ hourlyPrice: expect.any(Number) })]),
    })
    expect((await teacher('POST', '/azure/class/power', { ...inClass, operation: 1 })).status).toBe(200)
    const { rows } = await sql<{ call: string }>`
      select call from audit where actor_email = 'teacher@acme.test' and refused is null order by id`.execute(env.db)
    expect(rows.map(({ call }) => call)).toEqual([
      'classroom.lowerHand',
      'classroom.announce',
      'schedule.create',
      'machine.restart',
      'machine.reset',
      'classroom.extend',
      'classroom.power',
    ])
  })

  test('has none of these rights in another training, even as a learner of that training', async () => {
    const asLearner = { name: own!.name, resourceGroup: own!.resourceGroup }
    const [, pupils] = await machinesOf(admin, 'Secret')
    const secret = { trainingName: 'Secret' }
    const refused = [
      await teacher('GET', '/azure/class?trainingName=Secret'),
      await teacher('GET', '/azure/schedules?trainingName=Secret'),
      await teacher('POST', '/azure/class/announcement', { ...secret, text: 'No', minutes: 5 }),
      await teacher('DELETE', '/azure/class/hand?trainingName=Secret&email=pupil@acme.test'),
      await teacher('POST', '/azure/class/power', { ...secret, operation: 1 }),
      await teacher('PATCH', '/azure/machinesReset', [asLearner]),
      await teacher('PATCH', '/azure/machinesReset', [machineRef, asLearner]),
      await teacher('PATCH', '/azure/machinesRestart', [{ ...asLearner, name: pupils!.name }]),
      await teacher('POST', '/remote/watch', { vmName: asLearner.name }),
      await teacher('POST', '/remote/watch', { vmName: pupils!.name }),
    ]
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 404))
    expect((await teacher('PATCH', '/azure/machinesRestart', [asLearner])).status).toBe(200)
  })

  test("cannot order, delete, hand over or open a learner's machine, or change who must consent", async () => {
    const handOver = { ...machineRef, email: 'teacher@acme.test' }
    const forbidden = [
      await teacher('POST', '/azure/machines', order('Linux', ['more@acme.test'])),
      await teacher('DELETE', '/azure/machines', [machineRef]),
      await teacher('PATCH', '/azure/machinesLearner', handOver),
      await teacher('POST', '/azure/class/watching', { ...inClass, withoutAsking: true }),
      await teacher('GET', `/azure/class/instructors?${TRAINING_QUERY}`),
      await add('pupil@acme.test', teacher),
      await teacher('GET', '/budgets?organization=Acme Learning'),
    ]
    expect(forbidden.map(({ status }) => status)).toEqual(forbidden.map(() => 403))
    expect((await teacher('POST', '/remote/ticket', { vmName: machineRef.name })).status).toBe(404)
    expect((await teacher('GET', `/remote/folder?vmName=${machineRef.name}`)).status).toBe(404)
  })
})

describe('the right ends', () => {
  const isOver = async () => {
    const stream = await openEventStream<ClassView>(
      await env.credentials('teacher@acme.test'),
      `/azure/class/events?${TRAINING_QUERY}`,
    )
      .then((opened) => {
        opened.close()
        return 'open' as const
      })
      .catch(() => 'refused' as const)
    return [stream, (await teacher('GET', `/azure/class?${TRAINING_QUERY}`)).status]
  }

  test('with the removal, which also closes an open page of the class', async () => {
    const page = await openEventStream<ClassView>(
      await env.credentials('teacher@acme.test'),
      `/azure/class/events?${TRAINING_QUERY}`,
    )
    await until(
      'the class is shown',
      async () => page.events.length,
      (count) => count > 0,
    )
    await remove('teacher@acme.test')
    const before = page.events.length
    await admin('POST', '/azure/class/announcement', { ...inClass, text: 'Only for the class.', minutes: 5 })
    await until('the page is closed', async () => page.ended(), Boolean)
    expect(JSON.stringify(page.events.slice(before))).not.toContain('Only for the class.')
    expect(await isOver()).toEqual(['refused', 403])
  })

  test('if the user becomes an admin, and does not return when the admin becomes a user again', async () => {
    await add('teacher@acme.test')
    const role = (userType: string) => root('PATCH', '/admin/users', { email: 'teacher@acme.test', userType })
    expect((await role('admin')).status).toBe(200)
    expect(await listed()).not.toContain('teacher@acme.test')
    expect((await role('user')).status).toBe(200)
    expect(await listed()).not.toContain('teacher@acme.test')
  })

  test('with the training, and does not return if machines are ordered under the same name again', async () => {
    await add('pupil@acme.test')
    const pupil = await env.signIn('user', 'pupil@acme.test', acme)
    expect((await pupil('GET', `/azure/class?${TRAINING_QUERY}`)).status).toBe(200)
    expect((await root('DELETE', `/azure/killTraining?${TRAINING_QUERY}&organization=Acme Learning`)).status).toBe(200)
    expect((await pupil('GET', `/azure/class?${TRAINING_QUERY}`)).status).toBe(403)
    expect((await admin('POST', '/azure/machines', order('Linux', ['learner@acme.test']))).status).toBe(200)
    expect((await pupil('GET', `/azure/class?${TRAINING_QUERY}`)).status).toBe(403)
    expect(await listed()).toEqual([])
  })

  test('the database refuses an instructor of another organisation or access level', async () => {
    const insert = (email: string) =>
      sql`
      insert into training_instructor (training_id, organisation_id, user_id, added_by)
      select t.id, t.organisation_id, u.id, 'test' from training t, portal_user u
      where t.name = 'Linux' and u.email = ${email}`.execute(env.db)
    await expect(insert('admin@acme.test')).rejects.toThrow(/foreign key/)
    await expect(insert('learner@globex.test')).rejects.toThrow(/foreign key/)
  })
})
