/** @module-tag full */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Machine } from '@trainyard/machines/contract/machine.ts'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Caller } from '@trainyard/platform/test/caller.ts'
import { startEnvironment, type TestEnvironment } from '@trainyard/platform/test/environment.ts'
import { machinesOf, order } from '@trainyard/platform/test/orders.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { startProxy } from '@trainyard/remote-access/test/openssh.ts'
import { REMOTE_MESSAGES } from '@trainyard/remote-access/contract/remote-words.ts'
import { addressChanged } from '@trainyard/users/server/address.ts'
import type { GuideRunView, guide as guideCalls, guideRun } from '../../contract/guide.ts'
import { GUIDE, STUCK_MINUTES, STUCK_REDS } from '../../contract/guide-words.ts'
import { sshScripts } from '../machine/ssh-scripts.ts'
import { exampleFiles } from '../../test/example-guides.ts'
import { type RealShell, startRealShell } from '../../test/real-shell.ts'
import { zipOfFiles } from '../format/zip-of.ts'

const TRAINING = 'First steps'
type Results = ReplyOf<typeof guideCalls.results>
const GUIDE_YAML = `format: 1
id: probes
title: Probes
summary: Every kind of result.
language: en
minutes: 5
machines: [{name: desk, os: linux}]
variables: [{name: word, value: "it's $HOME"}]
setup: [{run: setup.sh, as: learner}]
steps:
  - id: one
    title: One
    text: one.md
    tasks:
`
/** Scripts of checks by the name of their task. */
const PROBES: Readonly<Record<string, string>> = {
  environment: '#!/bin/bash\nset -u\necho "$PATH|$LC_ALL|$PWD|$VAR_WORD|$GUIDE_ID|${LEAK-none}|$1|$#"\nexit 1\n',
  missing: '#!/bin/bash\nno-such-program || exit 1\n',
  status: '#!/bin/bash\nexit 2\n',
  hangs: '#!/bin/bash\nsleep 30\n',
  noisy: `#!/bin/bash\nyes x | head -c 5000000\nprintf '\\033[31mThe \\u202Elast\\007 line\\033[0m\\n'\nexit 1\n`,
  python: "#!/usr/bin/env python3\nimport os\nprint(os.environ['VAR_WORD'])\nraise SystemExit(1)\n",
  root: '#!/bin/bash\necho "$(id -u) in $HOME: $1"\nexit 1\n',
  after: '#!/bin/bash\nexit 0\n',
  unsolvable: '#!/bin/bash\nexit 1\n',
}

/** Scripts of solutions by the name of their task. */
const SOLVES: Readonly<Record<string, string>> = {
  unsolvable: '#!/bin/bash\nexit 3\n',
  half: '#!/bin/bash\ntouch ~/half\necho No space. >&2\nexit 3\n',
  lost: '#!/bin/bash\ntouch ~/lost ~/cut\n',
}

function probes(): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  const add = (path: string, text: string) => files.set(path, Buffer.from(text))
  let yaml = GUIDE_YAML
  const taskOf = (id: string) =>
    `      - id: ${id}\n        title: Task ${id}\n        checks: [{id: check, title: Check, run: ${id}.sh, args: ["it's; $(id)", "b"], as: ${id === 'root' ? 'root' : 'learner'}, timeout: 1}]\n${
      id === 'after' ? '        needs: [status]\n' : ''
    }${id in SOLVES ? `        solve: [{run: ${id}-solve.sh, as: learner}]\n` : ''}`
  for (const [id, script] of Object.entries(PROBES)) {
    yaml += taskOf(id)
    add(`${id}.sh`, script)
  }
  yaml += '  - id: two\n    title: Two\n    text: one.md\n    setup: [{run: two.sh, as: learner}]\n    tasks:\n'
  for (const id of ['half', 'lost']) yaml += taskOf(id)
  add('guide.yaml', yaml)
  add('one.md', 'The word is {{word}}.')
  add('setup.sh', '#!/bin/bash\ntest -e ~/ready || { echo "Not ready."; exit 1; }\necho x >> ~/setups\n')
  add('two.sh', '#!/bin/bash\ntest -e ~/two || touch ~/two ~/cut\n')
  for (const id of ['half', 'lost']) add(`${id}.sh`, `#!/bin/bash\ntest -e ~/${id} || exit 1\n`)
  for (const [id, script] of Object.entries(SOLVES)) add(`${id}-solve.sh`, script)
  return files
}

describe('on a machine with a real shell', () => {
  let env: TestEnvironment
  let acme: OrganisationId
  let learner: Caller
  let admin: Caller
  let other: Caller
  let foreign: Caller
  let machine: Machine
  let shell: RealShell
  let proxy: Awaited<ReturnType<typeof startProxy>>

  beforeAll(async () => {
    proxy = await startProxy(() => shell?.port)
    env = await startEnvironment({ settings: { SSH_PROXY: proxy.url } })
    await env.worker()
    acme = await env.organisation('Acme')
    admin = await env.signIn('admin', 'admin@acme.test', acme)
    await admin('POST', '/azure/machines', order(TRAINING, ['one@acme.test']))
    learner = await env.signIn('user', 'one@acme.test', acme)
    other = await env.signIn('user', 'two@acme.test', acme)
    foreign = await env.signIn('admin', 'admin@globex.test', await env.organisation('Globex'))
    const [found] = await until(
      'it runs',
      () => machinesOf(learner, TRAINING),
      ([one]) => one?.status === 'Running' && one.publicIp !== null,
    )
    machine = found!
    shell = await startRealShell(machine.adminUsername, machine.adminPass!)
    await admin('POST', '/webhooks', { url: `${env.emulator.url}/webhooks/receive`, description: '', events: [] })
    for (const [guide, files] of [
      ['git-basics', exampleFiles('git-basics')],
      ['probes', probes()],
    ] as const) {
      await admin('POST', '/guides', { bytes: zipOfFiles(files).toString('base64') })
      await admin('POST', '/guides/publish', { guide, number: 1, reason: 'A test.' })
    }
  })
  afterAll(async () => {
    await env.stop()
    await shell.stop()
    proxy.stop()
  })

  const attach = (guide: string) =>
    admin('POST', '/guides/attach', { trainingName: TRAINING, guide, number: 1, templateName: null })
  const show = async (as = learner): Promise<GuideRunView | null> =>
    (await as('GET', `/guideRun?vmName=${machine.name}`)).body.run
  type Changed = ReplyOf<typeof guideRun.check>
  const post = (action: string, body: object) =>
    learner('POST', `/guideRun/${action}`, { vmName: machine.name, ...body })
  const open = async (step: string | null = null): Promise<Changed> => (await post('step', { step })).body
  /** Lets the time between two clicks pass. */
  const rested = async () => {
    await env.db.updateTable('guide_run').set({ asked_at: null }).execute()
  }
  const act = async (action: 'check' | 'solve' | 'hint' | 'skip', task: string): Promise<Changed> => {
    await rested()
    const { status, body } = await post(action, { task })
    expect([status, body.message]).toEqual([200, body.message])
    return body
  }
  const taskOf = (run: GuideRunView | null, id: string) =>
    run!.steps.flatMap(({ tasks }) => tasks).find((task) => task.id === id)!
  const home = (path: string) => join(shell.home, path)

  /** Events of this type, the newest first. */
  const eventsOf = (type: string) =>
    env.db.selectFrom('webhook_event').select('data').where('type', '=', type).orderBy('sequence', 'desc').execute()

  test('a machine without a guide has none', async () => {
    expect(await show()).toBeNull()
    expect((await post('step', { step: null })).body.message).toBe(GUIDE.none(machine.name))
  })

  test('only its learner sees the guide, and its texts only after opening it', async () => {
    await attach('git-basics')
    expect(await show()).toMatchObject({ step: null, points: 0, maximum: 90 })
    expect((await show())!.steps[0]!.text).toEqual([])
    expect(await show(admin)).toBeNull()
    expect((await other('GET', `/guideRun?vmName=${machine.name}`)).status).toBe(404)
    expect((await post('check', { task: 'identity' })).body.message).toBe(GUIDE.notStarted)
    const { run } = await open()
    expect(run.step).toBe('commit')
    expect(JSON.stringify(run.steps[0]!.text)).toMatch(
      /"(amber|azure|coral|crimson|emerald|indigo|ivory|lilac|maroon|olive|teal)"/,
    )
    expect(JSON.stringify(run)).not.toContain('git config --global user.name \\"')
  })

  test('every task of an example is red before its solution, and green after it', { timeout: 60_000 }, async () => {
    for (const { id, tasks } of (await show())!.steps) {
      expect((await open(id)).message).toBe('')
      for (const { id: task } of tasks) {
        const before = await act('check', task)
        expect([task, taskOf(before.run, task).state]).toEqual([task, 'red'])
        const { message } = taskOf(before.run, task).checks.find(({ state }) => state === 'red')!
        expect(message).toMatch(/\.$/)
        expect((await act('solve', task)).message).toBe(GUIDE.solved)
        const after = await act('check', task)
        expect(taskOf(after.run, task).checks.map(({ state }) => state)).toEqual(
          taskOf(after.run, task).checks.map(() => 'green'),
        )
        // The portal solved it, so it gives no points.
        expect(taskOf(after.run, task)).toMatchObject({ state: 'solved', points: 0 })
      }
    }
    expect(existsSync(home('colours/colours.txt'))).toBe(true)
    expect(await eventsOf('task.completed')).toEqual([])
    expect(await eventsOf('guide.completed')).toMatchObject([
      { data: { guide: 'git-basics', number: 1, learner: 'one@acme.test', points: 0, training: { name: TRAINING } } },
    ])
  })

  test('a task that the learner does gives its points less the hints, also after it becomes red', async () => {
    await env.db.deleteFrom('task_result').execute()
    expect(taskOf(await show(), 'first-commit').needs).toEqual(['Tell Git who you are'])
    expect((await post('check', { task: 'first-commit' })).body.message).toBe(GUIDE.needs(['Tell Git who you are']))
    expect((await act('check', 'identity')).message).toBe(GUIDE.green(5))
    expect(await eventsOf('task.completed')).toMatchObject([
      { data: { guide: 'git-basics', task: 'identity', points: 5, machine: { name: machine.name } } },
    ])
    const hinted = await act('hint', 'first-commit')
    expect(taskOf(hinted.run, 'first-commit')).toMatchObject({ nextHint: null, points: 0 })
    expect(JSON.stringify(taskOf(hinted.run, 'first-commit').hints)).toContain('A new file must be added')
    expect((await post('hint', { task: 'first-commit' })).body.message).toBe(GUIDE.noMoreHints)
    const done = await act('check', 'first-commit')
    expect(taskOf(done.run, 'first-commit')).toMatchObject({ state: 'green', points: 12 })
    expect(done.run.points).toBe(17)
    writeFileSync(home('.gitconfig'), '')
    const again = await act('check', 'identity')
    expect(taskOf(again.run, 'identity')).toMatchObject({ state: 'green', points: 5, checks: [{ state: 'red' }] })
    expect(await eventsOf('task.completed')).toHaveLength(2)
    expect((await post('skip', { task: 'identity' })).body.message).toBe(GUIDE.isDone)
    expect(taskOf((await act('skip', 'solved')).run, 'solved')).toMatchObject({ state: 'skipped', points: 0 })
  })

  test('one click at a time runs scripts, and not more than one in two seconds', async () => {
    await rested()
    const replies = await Promise.all([1, 2, 3].map(() => post('check', { task: 'identity' })))
    expect(replies.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409', '409'])
    const soon = await post('check', { task: 'identity' })
    expect(soon.status).toBe(429)
    await rested()
    expect((await post('check', { task: 'identity' })).status).toBe(200)
  })

  test('a failed preparation leaves the text readable and is repeated', async () => {
    await attach('probes')
    const failed = await open()
    expect(failed.message).toBe(GUIDE.setupFailed)
    expect(failed.run.steps[0]).toMatchObject({ isPrepared: false })
    expect(JSON.stringify(failed.run.steps[0]!.text)).toContain("The word is it's $HOME.")
    writeFileSync(home('ready'), '')
    // The setup of the guide runs, and that of the step loses the connection.
    expect((await open('two')).message).toBe(REMOTE_MESSAGES.unreachable(machine.name))
    rmSync(home('cut'))
    expect((await open('one')).run.steps[0]).toMatchObject({ isPrepared: true })
    expect((await open('two')).run.steps[1]).toMatchObject({ isPrepared: true })
    await open('one')
    expect(readFileSync(home('setups'), 'utf8')).toBe('x\n')
  })

  const messageOf = async (task: string) => {
    const { run } = await act('check', task)
    const { state, checks } = taskOf(run, task)
    return `${state}: ${checks[0]!.message}`
  }

  test('a script gets a fixed environment and its arguments as they are', async () => {
    expect(await messageOf('environment')).toBe(
      "red: /usr/sbin:/usr/bin:/sbin:/bin|C.UTF-8|/|it's $HOME|probes|none|it's; $(id)|2",
    )
    expect(await messageOf('python')).toBe("red: it's $HOME")
  })

  test('what is not 0 or 1, a missing program and an exceeded time are broken', { timeout: 20_000 }, async () => {
    expect(await messageOf('missing')).toBe(`broken: ${GUIDE.broken}`)
    expect(await messageOf('status')).toBe(`broken: ${GUIDE.broken}`)
    expect(await messageOf('hangs')).toBe(`broken: ${GUIDE.timedOut}`)
    const attempts = await env.db
      .selectFrom('check_attempt')
      .select(['exit_status', 'error_output'])
      .where('task', '=', 'missing')
      .where('script', '=', 'check')
      .execute()
    expect(attempts[0]!.error_output).toContain('line 2: no-such-program: command not found')
  })

  test.runIf(process.getuid?.() === 0)('a script as root gets no password (not without root)', async () => {
    expect(await messageOf('root')).toBe("red: 0 in /root: it's; $(id)")
  })

  test('a reset of the machine begins the guide anew, and keeps the results of before', async () => {
    const reset = (by: number) =>
      env.db
        .updateTable('machine')
        .set((eb) => ({ reset_count: eb('reset_count', '+', by) }))
        .execute()
    await reset(1)
    expect(await show()).toMatchObject({ step: null, points: 0 })
    await reset(-1)
    expect((await show())!.step).toBe('one')
  })

  test('output is cut and cleaned', async () => {
    expect(await messageOf('noisy')).toBe('red: The [U+202E]last line')
  })

  test('a task that failed does not open the tasks that need it', async () => {
    expect((await post('check', { task: 'after' })).body.message).toBe(GUIDE.needs(['Task status']))
  })

  test('a failed solution solves nothing', async () => {
    const { message, run } = await act('solve', 'unsolvable')
    expect(message).toBe(GUIDE.solveFailed)
    expect(taskOf(run, 'unsolvable').state).toBe('open')
    expect((await post('solve', { task: 'status' })).body.message).toBe(GUIDE.noSolution)
  })

  test('checks of root share a connection, until the machine ends it or its password changes', async () => {
    await act('check', 'root')
    const before = shell.logins()
    await act('check', 'root')
    await act('check', 'root')
    expect(shell.logins()).toBe(before)
    shell.disconnect()
    await act('check', 'root')
    expect(shell.logins()).toBe(before + 1)
    // A script that could do something twice gets its own connection.
    await act('solve', 'unsolvable')
    expect(shell.logins()).toBe(before + 2)
    await act('check', 'root')
    expect(shell.logins()).toBe(before + 2)
    // A login has the groups that the account had when it began, and a task may be to join one.
    await act('check', 'environment')
    await act('check', 'environment')
    expect(shell.logins()).toBe(before + 4)
    const { id } = await env.db
      .selectFrom('machine')
      .select('id')
      .where('name', '=', machine.name)
      .executeTakeFirstOrThrow()
    const setPassword = (text: string) =>
      env.db
        .updateTable('machine')
        .set({ admin_password: env.parts.seal.seal(text, id) })
        .where('id', '=', id)
        .execute()
    await setPassword('Another-1')
    await rested()
    expect((await post('check', { task: 'root' })).status).toBe(409)
    await setPassword(machine.adminPass!)
  })

  test('a task whose solution was asked gives no points, also if the solution or the connection fails', async () => {
    expect((await act('solve', 'half')).message).toBe(GUIDE.solveFailed)
    await rested()
    const { status, body } = await post('solve', { task: 'lost' })
    expect([status, body.message]).toEqual([409, REMOTE_MESSAGES.unreachable(machine.name)])
    rmSync(home('cut'))
    for (const task of ['half', 'lost']) {
      const { run, message } = await act('check', task)
      expect([message, taskOf(run, task)]).toMatchObject([GUIDE.green(0), { state: 'green', points: 0 }])
    }
  })

  test('a script on a lost connection is refused as a machine that cannot be reached', async () => {
    const connection = await sshScripts({ proxy: proxy.url }).open(
      {
        address: machine.publicIp!,
        network: null,
        account: machine.adminUsername,
        password: machine.adminPass!,
        isTrustedKey: async () => true,
      },
      AbortSignal.timeout(10_000),
    )
    connection.close()
    await expect(
      connection.run({ text: 'true', args: [], as: 'learner', seconds: 1, variables: {} }),
    ).rejects.toMatchObject({ name: 'ShellError', kind: 'unreachable' })
  })

  test('a learner who makes every file test succeed is marked as suspect', async () => {
    expect(
      await env.db.selectFrom('guide_run').select('suspect_at').where('suspect_at', 'is not', null).execute(),
    ).toEqual([])
    await shell.stop()
    shell = await startRealShell(machine.adminUsername, machine.adminPass!, () => 0)
    await env.db.updateTable('machine').set({ host_key: null }).execute()
    expect(await messageOf('unsolvable')).toBe('green: ')
    const suspects = await env.db
      .selectFrom('guide_run')
      .select('suspect_at')
      .where('suspect_at', 'is not', null)
      .execute()
    expect(suspects).toHaveLength(1)
  })

  test('admins see how far learners are, and what the last broken script wrote', async () => {
    const results = async (as: Caller) => as('GET', `/guides/results?trainingName=${encodeURIComponent(TRAINING)}`)
    expect((await results(learner)).status).toBe(403)
    const { guides, results: all } = (await results(admin)).body as ReplyOf<typeof guideCalls.results>
    expect(all.map(({ guide, email, step, isCurrent }) => [guide, email, step, isCurrent])).toEqual([
      ['probes', 'one@acme.test', 'one', true],
      ['git-basics', 'one@acme.test', 'undo', false],
    ])
    expect(guides.map(({ guide, steps }) => [guide, steps.map(({ tasks }) => tasks.length)])).toEqual([
      ['probes', [9, 2]],
    ])
    const noisy = all[0]!.tasks.find(({ task }) => task === 'noisy')!
    expect(noisy).toMatchObject({
      state: 'red',
      reds: 1,
      failed: { title: 'Check', message: 'The [U+202E]last line' },
    })
    expect(all[0]).toMatchObject({
      vmName: machine.name,
      tasksDone: 3,
      points: 0,
      suspectAt: expect.any(String),
      lastBroken: { task: 'half', script: 'solve', exitStatus: 3, message: '', errorOutput: 'No space.\n' },
    })
    expect(all[0]!.reds).toBeGreaterThan(0)
    expect(all[1]).toMatchObject({ points: 17, suspectAt: null, lastBroken: null })
  })

  test('a learner is stuck after three red checks of a task, or ten minutes without progress', async () => {
    const stuck = async () =>
      ((await admin('GET', `/guides/results?trainingName=${encodeURIComponent(TRAINING)}`)).body as Results).results[0]!
        .stuck
    const runs = env.db.updateTable('guide_run').where('step', '=', 'one')
    const begun = (minutes: number) =>
      runs.set({ started_at: sql<Date>`portal_now() - make_interval(mins => ${minutes})` }).execute()
    const reds = (count: number) =>
      env.db.updateTable('task_result').set({ reds: count }).where('task', '=', 'environment').execute()
    await begun(0)
    await reds(STUCK_REDS - 1)
    expect(await stuck()).toBeNull()
    await reds(STUCK_REDS)
    expect(await stuck()).toMatchObject({ task: 'environment', reds: STUCK_REDS })
    await reds(0)
    await env.db
      .updateTable('task_result')
      .set({ changed_at: sql<Date>`portal_now() - '1 day'::interval` })
      .execute()
    await env.db
      .updateTable('run')
      .set({ started_at: sql<Date>`started_at - '1 day'::interval` })
      .execute()
    await begun(STUCK_MINUTES)
    expect(await stuck()).toMatchObject({ task: 'environment', minutes: STUCK_MINUTES })
    // The learner comes back the next morning.
    await env.db
      .updateTable('run')
      .set({ started_at: sql<Date>`date_trunc('second', portal_now())` })
      .execute()
    expect(await stuck()).toBeNull()
  })

  test('another host key gets no password and no script', async () => {
    await shell.stop()
    shell = await startRealShell(machine.adminUsername, machine.adminPass!)
    await rested()
    const { status, body } = await post('check', { task: 'environment' })
    expect([status, body.message]).toEqual([409, expect.stringContaining('presents a different host key')])
    expect(shell.logins()).toBe(0)
    // The machine is free for the next click.
    await env.db.updateTable('machine').set({ host_key: null }).execute()
    expect(await messageOf('environment')).toContain('red: ')
  })

  test('instructors check tasks again and solve one, on machines of their class', async () => {
    const of = (action: string, as: Caller, body: object = {}) =>
      as('POST', `/guides/${action}`, { trainingName: TRAINING, vmName: machine.name, ...body })
    const results = async () =>
      ((await admin('GET', `/guides/results?trainingName=${encodeURIComponent(TRAINING)}`)).body as Results).results[0]!
    expect((await of('check', learner)).status).toBe(403)
    expect((await of('check', foreign)).status).toBe(404)
    const before = await results()
    const { status, body } = await of('check', admin)
    expect([status, body.message]).toEqual([200, GUIDE.checkedAgain('one@acme.test', 3, before.tasks.length)])
    // A check by the instructor is no failure of the learner.
    expect((await results()).reds).toBe(before.reds)
    expect((await of('solve', admin, { task: 'half' })).body.message).toBe(GUIDE.isDone)
    await attach('git-basics')
    await env.db.deleteFrom('task_result').where('task', '=', 'identity').execute()
    expect((await of('solve', admin, { task: 'identity' })).body.message).toBe(GUIDE.solvedFor('one@acme.test'))
    expect((await results()).tasks.find(({ task }) => task === 'identity')).toMatchObject({
      state: 'solved',
      points: 0,
    })
    await attach('probes')
  })

  test('a learner whose address changes keeps the results', async () => {
    const before = await show()
    expect(before).toMatchObject({ step: 'one' })
    await env.parts.db.transaction().execute((tx) => addressChanged(tx, acme, 'one@acme.test', 'one.new@acme.test'))
    expect(await show(await env.signIn('user', 'one.new@acme.test', acme))).toEqual(before)
  })
})
