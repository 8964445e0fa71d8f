/** @module-tag full */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OrganisationId, ProofId } from '@trainyard/platform/contract/words/ids.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import type { Caller } from '@trainyard/platform/test/caller.ts'
import { startEnvironment, type TestEnvironment } from '@trainyard/platform/test/environment.ts'
import { RATE, TEMPLATE } from '@trainyard/platform/test/orders.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { workerProcesses } from '@trainyard/platform/test/worker-processes.ts'
import { startProxy } from '@trainyard/remote-access/test/openssh.ts'
import type { Proofs, ProofView } from '../../contract/proof.ts'
import { PROOF, PROOF_LEARNER, PROOF_TRAINING } from '../../contract/proof-words.ts'
import { exampleFiles } from '../../test/example-guides.ts'
import { guideOf } from '../../test/guide-of.ts'
import { type RealShell, startRealShell } from '../../test/real-shell.ts'
import { zipOfFiles } from '../format/zip-of.ts'
import type { ProofRow } from '../../tables.gen.ts'

const FILE = (name: string) => `test -e ~/${name} || { echo "There is no ${name}."; exit 1; }`
const TOUCH = (name: string) => `touch ~/${name}`
const plain = (name: string) => ({ check: FILE(name), solve: TOUCH(name) })

/** Each task breaks one rule, and is named after it. */
const FAULTY = guideOf('faulty', {
  one: {
    tasks: {
      'never-red': { check: 'echo Done.', solve: 'true' },
      broken: { check: 'no-such-program || exit 1', solve: 'true' },
      hangs: { check: `${FILE('hangs')}\nsleep 30`, solve: TOUCH('hangs'), fields: ', timeout: 1' },
      'guard-red': { ...plain('goal'), guard: FILE('goal') },
      'not-green': { check: FILE('other'), solve: 'true' },
      flaky: {
        check: `${FILE('flaky')}\nif test -e ~/seen; then echo "Only once."; exit 1; fi; touch ~/seen`,
        solve: TOUCH('flaky'),
      },
    },
  },
  solutions: {
    tasks: {
      'solve-failed': { check: FILE('failed'), solve: 'echo "No package." >&2; exit 100' },
      'solve-once': { check: FILE('folder'), solve: 'mkdir ~/folder' },
      'no-solve': { check: FILE('unsolved') },
      needing: { ...plain('needing'), needs: 'no-solve' },
      'lost-at-end': plain('lost'),
      breaker: { check: FILE('breaker'), solve: 'touch ~/breaker; rm -f ~/lost' },
      'lost-at-restart': { ...plain('volatile'), fields: ', after_reboot: true' },
    },
  },
  two: {
    setup: 'test ! -e ~/prepared || { echo "Prepared already."; exit 4; }; touch ~/prepared',
    tasks: { fine: plain('fine') },
  },
})

const UNPREPARED = guideOf('unprepared', { one: { tasks: { task: plain('file') } } }, 'echo "No nginx."; exit 1')
const INCOMPLETE = guideOf('incomplete', { one: { tasks: { task: { check: FILE('file') } } } })
const LOOSE = guideOf('loose', { one: { tasks: { task: { ...plain('file'), fields: ', exit: loose' } } } })
/** The solution takes long on the first machine only. */
const SLOW = guideOf('slow', {
  one: { tasks: { first: plain('first'), slow: { check: FILE('slow'), solve: 'touch ~/slow; sleep 3' } } },
})

describe('proofs on machines with a real shell', () => {
  let env: TestEnvironment
  let acme: OrganisationId
  let admin: Caller
  let shell: RealShell | undefined
  let served: string | null = null
  let proxy: Awaited<ReturnType<typeof startProxy>>
  let worker: Awaited<ReturnType<TestEnvironment['worker']>>

  beforeAll(async () => {
    proxy = await startProxy(() => shell?.port)
    env = await startEnvironment({ settings: { SSH_PROXY: proxy.url } })
    worker = await env.worker()
    acme = await env.organisation('Acme')
    admin = await env.signIn('admin', 'admin@acme.test', acme)
    for (const files of [FAULTY, UNPREPARED, INCOMPLETE, LOOSE, SLOW, exampleFiles('git-basics')])
      await admin('POST', '/guides', { bytes: zipOfFiles(files).toString('base64') })
  })
  afterAll(async () => {
    await env.stop()
    await shell?.stop()
    proxy.stop()
  })

  const start = (guide: string) => admin('POST', '/guides/proofs', { guide, number: 1, templateName: TEMPLATE })
  const listOf = async (guide: string): Promise<Proofs> => (await admin('GET', `/guides/proofs?guide=${guide}`)).body
  const rowOf = (id: ProofId) => env.db.selectFrom('proof').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

  /** Starts the SSH server of the proof's machine, with an empty home directory for each machine. */
  async function serve({ machine_id }: ProofRow): Promise<void> {
    if (machine_id === null || machine_id === served) return
    const { admin_username, admin_password } = await env.db
      .selectFrom('machine')
      .select(['admin_username', 'admin_password'])
      .where('id', '=', machine_id)
      .executeTakeFirstOrThrow()
    if (admin_password === null) return
    served = machine_id
    await shell?.stop()
    shell = await startRealShell(admin_username, env.parts.seal.open(admin_password, machine_id))
  }

  const reaches = (id: ProofId, description: string, condition: (row: ProofRow) => boolean) =>
    until(
      description,
      async () => {
        const row = await rowOf(id)
        await serve(row)
        if (row.phase === 'restarting') rmSync(join(shell!.home, 'volatile'), { force: true })
        return row
      },
      condition,
      60_000,
    )

  async function prove(guide: string): Promise<ProofView> {
    const started = await start(guide)
    expect([started.status, started.body.message]).toEqual([200, started.body.message])
    await reaches(started.body.id, `the proof of ${guide} ends`, ({ phase }) => phase === 'ended')
    expect(env.bugs).toEqual([])
    return (await listOf(guide)).proofs[0]!
  }

  test('an example is proven on a machine that is hidden, billed, in the audit, and deleted', async () => {
    const view = await prove('git-basics')
    expect(view).toMatchObject({
      number: 1,
      templateName: TEMPLATE,
      image: 'Canonical:0001-com-ubuntu-server-jammy:22_04-lts-gen2:latest',
      state: 'proven',
      isStale: false,
      step: 'undo',
      askedBy: 'admin@acme.test',
      reason: null,
      faults: [],
      since: null,
    })
    expect((await rowOf(view.id as ProofId)).packages).toHaveProperty('bash')
    expect(view.seconds).toBeGreaterThan(0)
    expect(view.costPaise).toBeGreaterThan(0)
    const { machines } = await env.truth()
    expect(machines.map(({ exists }) => exists)).toEqual([false])
    const bill = await admin('GET', `/azure/billing?trainingName=${encodeURIComponent(PROOF_TRAINING)}`)
    expect(Math.round(bill.body.Amount * 100)).toBe(view.costPaise)
    expect((await admin('GET', '/azure/trainingName?organization=Acme')).body.trainingNames).toEqual([])
    const audit = await env.db
      .selectFrom('audit')
      .select('call')
      .where('call', 'like', 'proof.%')
      .orderBy('at')
      .execute()
    expect(audit.map(({ call }) => call)).toEqual(['proof.start', 'proof.order', 'proof.end'])
    expect(await brokenInvariants(env.db, { quiet: true })).toEqual([])
  })

  test('the time and the cost at which a proof is stopped are known before it starts', async () => {
    const { templates } = await listOf('faulty')
    expect(templates.find(({ templateName }) => templateName === TEMPLATE)).toEqual({
      templateName: TEMPLATE,
      paisePerHour: RATE,
      minutesMax: 60,
      paiseMax: RATE,
    })
  })

  describe('a guide that breaks every rule', () => {
    let found: ProofView
    beforeAll(async () => {
      found = await prove('faulty')
    })
    const faultsOf = (task: string) =>
      found.faults
        .filter((fault) => fault.task === task)
        .map(({ kind, script }) => `${kind} ${script}`)
        .toSorted()

    test.each([
      ['never-red', ['never-red goal']],
      ['broken', ['broken goal']],
      ['hangs', ['broken goal']],
      ['guard-red', ['guard-red guard']],
      ['not-green', ['not-green goal']],
      ['flaky', ['flaky goal']],
      ['solve-failed', ['solve-failed solve-failed-solve.sh']],
      ['solve-once', ['solve-failed solve-once-solve.sh']],
      ['no-solve', ['no-solve ']],
      ['needing', ['no-solve ']],
      ['lost-at-end', ['lost-at-end goal']],
      ['breaker', []],
      ['lost-at-restart', ['lost-at-restart goal']],
      ['', ['setup-not-repeatable two-setup.sh']],
      ['fine', []],
    ])('%s: %j', (task, expected) => {
      expect(found.state).toBe('faulty')
      expect(faultsOf(task)).toEqual(expected)
    })

    test('a fault names its place, exit status and output', () => {
      const fault = (task: string) => found.faults.find((each) => each.task === task)
      expect(fault('solve-failed')).toEqual({
        kind: 'solve-failed',
        step: 'solutions',
        task: 'solve-failed',
        script: 'solve-failed-solve.sh',
        exitStatus: 100,
        message: '',
        errorOutput: 'No package.\n',
      })
      expect(fault('broken')).toMatchObject({ exitStatus: 1, message: '' })
      expect(fault('broken')!.errorOutput).toContain('no-such-program: command not found')
      expect(fault('hangs')).toMatchObject({ message: PROOF.timedOut })
      expect(fault('lost-at-end')).toMatchObject({ exitStatus: 1, message: 'There is no lost.' })
      expect(fault('needing')).toMatchObject({ message: PROOF.needs(['Task no-solve']), exitStatus: null })
      expect(fault('')).toMatchObject({ step: 'two', exitStatus: 4, message: PROOF.again })
    })
  })

  test('a setup that fails ends the proof', async () => {
    const { state, faults } = await prove('unprepared')
    expect(state).toBe('faulty')
    expect(faults).toMatchObject([
      { kind: 'setup-failed', step: '', task: '', script: 'setup.sh', exitStatus: 1, message: 'No nginx.' },
    ])
  })

  test('a guide without solutions, or with loose checks, is incomplete', async () => {
    expect(await prove('incomplete')).toMatchObject({ state: 'incomplete', reason: PROOF.noSolve })
    expect(await prove('loose')).toMatchObject({ state: 'incomplete', reason: PROOF.loose, faults: [] })
  })

  test('a deleted machine is no fault of the guide', async () => {
    const { id } = (await start('slow')).body
    await reaches(id, 'the machine is ordered', ({ machine_id }) => machine_id !== null)
    const { name } = await env.db
      .selectFrom('machine')
      .select('name')
      .where('email', '=', PROOF_LEARNER)
      .where('terminated_at', 'is', null)
      .executeTakeFirstOrThrow()
    const deleted = await admin('DELETE', '/azure/machines', [{ name, resourceGroup: 'labs' }])
    expect([deleted.status, deleted.body.message]).toEqual([200, deleted.body.message])
    await reaches(id, 'the proof ends', ({ phase }) => phase === 'ended')
    expect((await listOf('slow')).proofs[0]).toMatchObject({ state: 'not run', reason: PROOF.deleted, faults: [] })
  })

  test('a refused order is no fault of the guide', async () => {
    const terms = (refusal: string | null) => env.db.updateTable('cloud_terms').set({ refusal }).execute()
    await terms('Accept the terms of the image.')
    expect(await prove('slow')).toMatchObject({
      state: 'not run',
      reason: 'Accept the terms of the image.',
      seconds: null,
      faults: [],
    })
    await terms(null)
  })

  test('a version is proven once at a time on a template', async () => {
    const replies = await Promise.all([1, 2, 3].map(() => start('loose')))
    expect(replies.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409', '409'])
    const { id } = replies.find(({ status }) => status === 200)!.body
    expect(replies.find(({ status }) => status === 409)!.body.message).toBe(PROOF.running(TEMPLATE))
    // PostgreSQL plans the sixth use of a statement on a connection without the values.
    for (let again = 0; again < 40; again++) expect((await start('loose')).status).toBe(409)
    await reaches(id, 'the proof ends', ({ phase }) => phase === 'ended')
  })

  test('only a version that is proven on a template as it is now is published without a reason', async () => {
    const publish = (guide: string) => admin('POST', '/guides/publish', { guide, number: 1 })
    const versionOf = async () => (await admin('GET', '/guides/version?guide=git-basics&number=1')).body
    expect((await publish('faulty')).body.message).toBe(PROOF.notProven)
    expect((await versionOf()).proven).toEqual({
      at: expect.any(String),
      templateName: TEMPLATE,
      image: 'Canonical:0001-com-ubuntu-server-jammy:22_04-lts-gen2:latest',
    })
    const edit = (by: number) =>
      env.db
        .updateTable('template')
        .set((eb) => ({ revision: eb('revision', '+', by) }))
        .where('name', '=', TEMPLATE)
        .execute()
    await edit(1)
    expect((await versionOf()).proven).toBeNull()
    expect((await listOf('git-basics')).proofs[0]).toMatchObject({ state: 'proven', isStale: true })
    expect((await publish('git-basics')).body.message).toBe(PROOF.notProven)
    await edit(-1)
    expect((await publish('git-basics')).status).toBe(200)
    expect(await versionOf()).toMatchObject({ state: 'published', reason: null })
  })

  test('a proof whose worker is killed begins again on a fresh machine', { timeout: 90_000 }, async () => {
    await worker.stop()
    const workers = workerProcesses(env)
    await workers.start()
    const { id } = (await start('slow')).body
    const first = await reaches(id, 'the solution runs', (row) => row.task === 'slow' && row.part_begun)
    await workers.killOldest()
    await workers.start()
    await reaches(id, 'the proof ends', ({ phase }) => phase === 'ended')
    await workers.killAll()
    expect(await rowOf(id)).toMatchObject({ state: 'proven', machines: 2 })
    const { ended } = await env.db
      .selectFrom('machine')
      .select(({ eb }) => eb('terminated_at', 'is not', null).as('ended'))
      .where('id', '=', first.machine_id!)
      .executeTakeFirstOrThrow()
    expect(ended).toBe(true)
    expect((await env.truth()).machines.filter(({ exists }) => exists)).toEqual([])
    expect(await brokenInvariants(env.db, { quiet: true })).toEqual([])
    expect([env.bugs, workers.complaints]).toEqual([[], []])
  })
})
