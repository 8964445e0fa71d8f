import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Seen } from '../../../providers/cloud.ts'
import { type Believed, causeOf, type Meaning, type Observation, observe, VANISHED } from './observe.ts'

const T0 = new Date('2026-11-01T10:00:00Z')
const after = (seconds: number) => new Date(T0.getTime() + seconds * 1000)

const running: Believed = {
  desired: 'running',
  observed: 'running',
  first_seen_at: T0,
  public_ip: '20.0.0.1',
  restart_asked_at: null,
  reset_asked_at: null,
  ended: null,
  command: null,
  command_at: null,
  command_accepted: false,
  attempts: 0,
  last_error: null,
  password_due: false,
}
const stopped: Believed = { ...running, desired: 'stopped', observed: 'stopped' }
const fresh: Believed = { ...running, observed: 'absent', first_seen_at: null, public_ip: null }
const seen = (what: Seen, at: Date): Observation => ({ kind: 'seen', seen: what, at, publicAddress: null })
const sent = (command: Believed['command'], at: Date, command_accepted: boolean) => ({
  command,
  command_at: at,
  command_accepted,
})

const FAILED = { state: 'failed', reason: 'No room.' } as const

describe('billing', () => {
  test('a creation is billed from when the machine ran, not from when it was accepted', () => {
    const accepted = observe(fresh, { kind: 'accepted', command: 'create', at: after(1) })
    expect(accepted.run).toBeNull()
    const { believed, run } = observe(accepted.believed, seen({ state: 'running', since: after(40) }, after(45)))
    expect(run).toEqual({ opens: after(40) })
    expect(believed).toMatchObject({ observed: 'running', command: null, first_seen_at: after(45) })
  })

  test('a start is billed from the instant it was accepted, a stop no longer than that', () => {
    expect(observe(stopped, { kind: 'accepted', command: 'start', at: after(5) }).run).toEqual({ opens: after(5) })
    expect(observe(running, { kind: 'accepted', command: 'stop', at: after(5) }).run).toEqual({ closes: after(5) })
    expect(observe(running, { kind: 'deleted', remaining: 'machine', at: after(5) }).run).toEqual({
      closes: after(5),
    })
  })

  test('a start whose reply was lost is billed from when it was sent', () => {
    const lost = { ...stopped, desired: 'running' as const, ...sent('start', after(10), false) }
    expect(observe(lost, seen({ state: 'running', since: after(30) }, after(60))).run).toEqual({ opens: after(10) })
    expect(observe(lost, seen({ state: 'changing', toward: 'running' }, after(12))).run).toEqual({ opens: after(10) })
    const undone = observe(lost, seen({ state: 'stopped', since: after(0) }, after(12))).believed
    expect(undone).toMatchObject({ observed: 'stopped', desired: 'running', command: null })
  })

  test('a deletion that was taken and then failed ends the bill only until it failed, and is shown', () => {
    const { believed } = observe(
      { ...running, desired: 'gone' },
      { kind: 'deleted', remaining: 'machine', at: after(10) },
    )
    const failure = 'InternalExecutionError: It failed.'
    for (const state of ['running', 'halted'] as const) {
      const failed = observe(believed, seen({ state, since: after(40), failure }, after(90)))
      expect(failed.run).toEqual({ opens: after(40) })
      expect(failed.believed).toMatchObject({ observed: 'running', desired: 'gone', command: null, attempts: 1 })
      expect(failed.believed.last_error).toBe(failure)
      const again = observe(failed.believed, { kind: 'deleted', remaining: 'machine', at: after(95) })
      expect(again.run).toEqual({ closes: after(95) })
    }
    const unbilled = observe(believed, seen({ state: 'stopped', since: after(40), failure }, after(90)))
    expect(unbilled).toMatchObject({ run: null, believed: { observed: 'stopped', command: null, last_error: failure } })
    // It may have failed in the second in which it was taken.
    const atOnce = observe(believed, seen({ state: 'running', since: after(10), failure }, after(90)))
    expect(atOnce).toMatchObject({ run: { opens: after(10) }, believed: { attempts: 1 } })
    // The failed operation before the deletion was something else, or none failed, or all that is told is that one did.
    for (const what of [
      { state: 'running', since: null, failure },
      { state: 'running', since: after(9), failure },
      { state: 'running', since: after(40) },
      { state: 'failed', since: after(40), reason: failure },
      { state: 'absent' },
    ] as const) {
      expect(observe(believed, seen(what, after(90)))).toEqual({ believed, run: null, terminated: false })
    }
  })

  test('a stop that was taken and then failed never ended the bill', () => {
    const { believed } = observe(running, { kind: 'accepted', command: 'stop', at: after(10) })
    for (const since of [null, after(5), after(10)]) {
      expect(observe(believed, seen({ state: 'running', since }, after(90))).run).toEqual({ opens: after(10) })
    }
    // Somebody started it again since.
    expect(observe(believed, seen({ state: 'running', since: after(60) }, after(90))).run).toEqual({ opens: after(60) })
  })

  test('a stop whose reply was lost ends the bill when it was sent', () => {
    const lost = { ...running, desired: 'stopped' as const, ...sent('stop', after(10), false) }
    expect(observe(lost, seen({ state: 'stopped', since: after(30) }, after(60))).run).toEqual({ closes: after(10) })
  })
})

describe('an accepted command', () => {
  test('is at work from then on, forgets what failed before, and tells where a new machine is found', () => {
    const creating = observe(
      { ...fresh, attempts: 2, last_error: 'No.' },
      { kind: 'accepted', command: 'create', at: after(5), publicAddress: '20.0.0.9' },
    )
    expect(creating.believed).toEqual({
      ...fresh,
      ...sent('create', after(5), true),
      observed: 'changing',
      public_ip: '20.0.0.9',
      attempts: 2,
    })
    const restarting = observe(running, { kind: 'accepted', command: 'restart', at: after(5) })
    expect(restarting).toMatchObject({ run: null, believed: { observed: 'changing', public_ip: running.public_ip } })
  })

  test('is the cause of what it opens or closes, and so is a look, and a deletion by how far it is', () => {
    const at = T0
    expect(causeOf({ kind: 'accepted', command: 'start', at })).toBe('start accepted')
    expect(causeOf({ kind: 'deleted', remaining: 'machine', at })).toBe('delete accepted')
    expect(causeOf({ kind: 'deleted', remaining: 'parts', at })).toBe('delete accepted')
    expect(causeOf({ kind: 'deleted', remaining: 'nothing', at })).toBe('deleted')
    expect(causeOf(seen({ state: 'halted', since: null }, at))).toBe('seen halted')
  })
})

describe('a deletion that left nothing', () => {
  const deleted: Observation = { kind: 'deleted', remaining: 'nothing', at: after(5) }
  const deleting: Believed = {
    ...running,
    observed: 'changing',
    restart_asked_at: T0,
    attempts: 2,
    last_error: 'No.',
    ...sent('delete', T0, true),
  }

  test('ends a machine that is to go', () => {
    const gone: Believed = { ...deleting, desired: 'gone' }
    expect(observe(gone, deleted)).toEqual({
      believed: {
        ...gone,
        ...sent(null, after(0), false),
        command_at: null,
        observed: 'absent',
        restart_asked_at: null,
        attempts: 0,
        last_error: null,
      },
      run: { closes: after(5) },
      terminated: true,
    })
  })

  test('has one that is reset begin anew', () => {
    const { believed, terminated } = observe({ ...deleting, reset_asked_at: T0 }, deleted)
    expect(believed).toMatchObject({ ...fresh, command: null, reset_asked_at: null, last_error: null })
    expect(terminated).toBe(false)
  })

  test('of parts is under way yet', () => {
    const { believed, terminated } = observe(
      { ...deleting, desired: 'gone' },
      { kind: 'deleted', remaining: 'parts', at: after(5) },
    )
    expect(believed).toMatchObject({ observed: 'changing', ...sent('delete', after(5), true) })
    expect(terminated).toBe(false)
  })
})

describe('a machine seen running', () => {
  const at = seen({ state: 'running', since: null }, after(90))
  const failing: Believed = { ...running, attempts: 2, last_error: 'No.' }

  test('as it is wanted is well, and is found where the look says', () => {
    expect(observe(failing, { ...at, publicAddress: '20.0.0.9' } as Observation).believed).toEqual({
      ...running,
      public_ip: '20.0.0.9',
    })
  })

  test.each<[string, Partial<Believed>]>([
    ['that has no password of its own yet', { password_due: true }],
    ['that is to stop', { desired: 'stopped' }],
    ['that is reset', { reset_asked_at: T0 }],
    ['that is to go', { desired: 'gone' }],
  ])('%s keeps what failed', (_which, more) => {
    const { believed } = observe({ ...failing, ...more }, at)
    expect(believed).toMatchObject({ ...more, attempts: 2, last_error: 'No.' })
  })

  test('has been restarted where that was sent, and else not', () => {
    const asked: Believed = { ...running, restart_asked_at: T0 }
    expect(observe({ ...asked, ...sent('restart', T0, false) }, at).believed.restart_asked_at).toBeNull()
    expect(observe(asked, at).believed.restart_asked_at).toEqual(T0)
  })

  test('is billed from the look on where nobody says since when', () => {
    const creating: Believed = { ...fresh, observed: 'changing', ...sent('create', T0, true) }
    expect(observe(creating, at).run).toEqual({ opens: after(90) })
  })

  test('before it was made anew is the one that stood there before', () => {
    const creating: Believed = { ...fresh, observed: 'changing', ...sent('create', T0, true) }
    const old = observe(creating, seen({ state: 'running', since: after(-1) }, after(9)))
    expect(old).toMatchObject({ believed: creating, run: null })
    expect(
      observe({ ...creating, command_accepted: false }, seen({ state: 'running', since: after(-1) }, after(9))).run,
    ).toEqual({
      opens: after(-1),
    })
    expect(observe(creating, seen({ state: 'running', since: T0 }, after(9))).believed.observed).toBe('running')
  })
})

describe('a machine seen halted', () => {
  const halted = seen({ state: 'halted', since: after(20) }, after(90))

  test('is stopped here and not restarted, billed since then', () => {
    const { believed, run } = observe({ ...running, restart_asked_at: T0 }, halted)
    expect(believed).toMatchObject({ desired: 'stopped', observed: 'running', restart_asked_at: null })
    expect(run).toEqual({ opens: after(20) })
  })

  test('that is to go goes on going', () => {
    expect(observe({ ...running, desired: 'gone' }, halted).believed.desired).toBe('gone')
    expect(observe({ ...running, reset_asked_at: T0 }, halted).believed.desired).toBe('running')
  })
})

describe('a machine that is changing', () => {
  const changing = (machine: Believed, toward: 'running' | 'stopped' | 'absent' | 'unknown') =>
    observe(machine, seen({ state: 'changing', toward }, after(90)))
  const nothing = (machine: Believed) => ({ believed: machine, run: null, terminated: false })

  test('by a command that was taken tells nothing new', () => {
    const stopping: Believed = { ...running, observed: 'changing', ...sent('stop', T0, true) }
    for (const toward of ['stopped', 'absent'] as const) expect(changing(stopping, toward)).toEqual(nothing(stopping))
  })

  test('as a command says whose reply was lost shows that it was taken when it was sent', () => {
    for (const [command, toward] of [
      ['create', 'running'],
      ['start', 'running'],
      ['stop', 'stopped'],
      ['delete', 'absent'],
      // On its way it goes down, and up.
      ['restart', 'stopped'],
      ['restart', 'running'],
    ] as const) {
      const lost: Believed = { ...running, ...sent(command, after(10), false) }
      expect(changing(lost, toward).believed).toMatchObject({ observed: 'changing', ...sent(command, after(10), true) })
    }
    const lost: Believed = { ...running, ...sent('stop', after(10), false) }
    for (const toward of ['running', 'absent', 'unknown'] as const)
      expect(changing(lost, toward)).toEqual(nothing(lost))
  })

  test('by somebody else is followed, and is not where it goes for good', () => {
    expect(changing(stopped, 'running')).toEqual({
      believed: { ...stopped, observed: 'changing', desired: 'running' },
      run: { opens: after(90) },
      terminated: false,
    })
    expect(changing({ ...running, restart_asked_at: T0 }, 'stopped')).toEqual({
      believed: { ...running, observed: 'changing', desired: 'stopped' },
      run: { closes: after(90) },
      terminated: false,
    })
    expect(changing({ ...stopped, desired: 'gone' }, 'running').believed.desired).toBe('gone')
    expect(changing({ ...running, desired: 'gone' }, 'stopped').believed.desired).toBe('gone')
    expect(changing(running, 'absent')).toEqual({
      believed: { ...running, observed: 'changing' },
      run: { closes: after(90) },
      terminated: false,
    })
  })

  test('to what it was already tells nothing new', () => {
    expect(changing(running, 'running')).toEqual(nothing(running))
    expect(changing(stopped, 'stopped')).toEqual(nothing(stopped))
    expect(changing(running, 'unknown')).toEqual(nothing(running))
    expect(changing(stopped, 'unknown')).toEqual(nothing(stopped))
  })
})

describe('a machine that is not there', () => {
  const absent = (machine: Believed, seconds = 90) => observe(machine, seen({ state: 'absent' }, after(seconds)))
  const nothing = (machine: Believed) => ({ believed: machine, run: null, terminated: false })

  test('was not made where the reply to its creation was lost, and may still come where it is to go', () => {
    const lost: Believed = { ...fresh, ...sent('create', T0, false) }
    expect(absent(lost).believed).toEqual(fresh)
    expect(absent({ ...lost, desired: 'gone' })).toEqual(nothing({ ...lost, desired: 'gone' }))
  })

  test('may come for a minute after its creation was taken', () => {
    const creating: Believed = { ...fresh, observed: 'changing', ...sent('create', T0, true) }
    expect(absent(creating, 59)).toEqual(nothing(creating))
    expect(absent(creating, 60).believed).toMatchObject({ desired: 'gone', ended: VANISHED })
  })

  test('shows that a deletion was taken whose reply was lost', () => {
    const lost: Believed = { ...running, desired: 'gone', ...sent('delete', after(10), false) }
    expect(absent(lost)).toMatchObject({ run: { closes: after(10) }, believed: sent('delete', after(10), true) })
  })

  test('was never made, or has gone as it was to', () => {
    expect(absent(fresh)).toEqual(nothing(fresh))
    const going: Believed = { ...running, desired: 'gone', ...sent('stop', T0, true) }
    expect(absent(going)).toMatchObject({
      run: { closes: after(90) },
      believed: { observed: 'changing', desired: 'gone', ended: null, command: null },
    })
  })

  test('has vanished, with what failed and what was asked of it', () => {
    const vanished = absent({ ...running, attempts: 2, last_error: 'No.', restart_asked_at: T0 })
    expect(vanished.believed).toEqual({ ...running, desired: 'gone', observed: 'changing', ended: VANISHED })
  })
})

describe('changes by others', () => {
  test('is followed: a stop, a start', () => {
    const down = observe(running, seen({ state: 'stopped', since: after(20) }, after(30)))
    expect(down).toMatchObject({ believed: { desired: 'stopped', observed: 'stopped' }, run: { closes: after(20) } })
    const up = observe(stopped, seen({ state: 'running', since: after(20) }, after(30)))
    expect(up).toMatchObject({ believed: { desired: 'running', observed: 'running' }, run: { opens: after(20) } })
  })

  test('a shutdown from inside stays billed and is to be deallocated', () => {
    const { believed } = observe(running, seen({ state: 'halted', since: null }, after(30)))
    expect(believed).toMatchObject({ desired: 'stopped', observed: 'running' })
  })

  test('a machine that vanished is to be gone, and says so', () => {
    const { believed, run, terminated } = observe(running, seen({ state: 'absent' }, after(30)))
    expect(believed).toMatchObject({ desired: 'gone', ended: VANISHED })
    expect(run).toEqual({ closes: after(30) })
    expect(terminated).toBe(false)
  })

  test('is not read out of what somebody has just asked for here', () => {
    const asked = { ...stopped, desired: 'running' as const }
    expect(observe(asked, seen({ state: 'stopped', since: after(-60) }, after(30))).believed.desired).toBe('running')
    const asking = { ...running, desired: 'stopped' as const }
    expect(observe(asking, seen({ state: 'running', since: after(-60) }, after(30))).believed.desired).toBe('stopped')
  })
})

describe('an old picture', () => {
  test('of a machine still running does not undo its stop', () => {
    const stopping = {
      ...running,
      desired: 'stopped' as const,
      observed: 'changing' as const,
      ...sent('stop', after(10), true),
    }
    const { believed, run } = observe(stopping, seen({ state: 'running', since: after(0) }, after(20)))
    expect([believed, run]).toEqual([stopping, null])
  })

  test('a look at a machine that is being deleted adds nothing', () => {
    const deleting = {
      ...running,
      desired: 'gone' as const,
      observed: 'changing' as const,
      ...sent('delete', after(10), true),
    }
    expect(observe(deleting, seen({ state: 'running', since: after(0) }, after(20))).believed).toEqual(deleting)
  })
})

describe('a command that fails at the provider', () => {
  const failure = 'AllocationFailed: No room.'
  const asked = (command: 'start' | 'stop', from: Believed): Believed => ({
    ...from,
    desired: command === 'start' ? 'running' : 'stopped',
    observed: 'changing',
    ...sent(command, after(10), true),
  })

  test('is shown, counted once, and tried again', () => {
    const what: Seen = { state: 'stopped', since: after(20), failure }
    const once = observe(asked('start', stopped), seen(what, after(30)))
    expect(once.believed).toMatchObject({ observed: 'stopped', command: null, attempts: 1, last_error: failure })
    const twice = observe(once.believed, seen(what, after(35)))
    expect(twice.believed).toEqual(once.believed)
  })

  test('a start is billed until it failed, however late that is noticed', () => {
    const what: Seen = { state: 'stopped', since: after(14), failure }
    expect(observe(asked('start', stopped), seen(what, after(230))).run).toEqual({ closes: after(14) })
  })

  test('a stop is billed again from when it failed, and is not taken for a start by somebody else', () => {
    const { believed, run } = observe(
      asked('stop', running),
      seen({ state: 'running', since: after(40), failure }, after(60)),
    )
    expect(believed).toMatchObject({ desired: 'stopped', observed: 'running', attempts: 1, last_error: failure })
    expect(run).toEqual({ opens: after(40) })
  })

  test('a stop of what is not billed any more has what it wanted: nothing fails', () => {
    const what: Seen = { state: 'stopped', since: after(20), failure }
    expect(observe(asked('stop', running), seen(what, after(30))).believed).toMatchObject({
      desired: 'stopped',
      observed: 'stopped',
      attempts: 0,
      last_error: null,
    })
    // So does one that was left failing.
    const left = { ...stopped, attempts: 3, last_error: failure }
    expect(observe(left, seen(what, after(90))).believed).toMatchObject({ attempts: 0, last_error: null })
  })

  test('an old failure says nothing of the command that came after it', () => {
    const starting = asked('start', stopped)
    expect(observe(starting, seen({ state: 'stopped', since: after(4), failure }, after(12)))).toMatchObject({
      believed: starting,
      run: null,
    })
    const lost = { ...starting, observed: 'stopped' as const, ...sent('start', after(10), false) }
    expect(observe(lost, seen({ state: 'stopped', since: after(4), failure }, after(12))).believed).toMatchObject({
      command: null,
      attempts: 0,
      last_error: null,
    })
  })

  test('without a word of its power it may run: only a start long ago has failed by that', () => {
    const what: Seen = { state: 'failed', reason: failure, since: after(20) }
    for (const machine of [running, asked('stop', running), asked('start', stopped)]) {
      expect(observe(machine, seen(what, after(30)))).toMatchObject({ believed: machine, run: null })
    }
    const { believed, run } = observe(asked('start', stopped), seen(what, after(90)))
    expect([believed.observed, believed.last_error, run]).toEqual(['stopped', failure, { closes: after(20) }])
  })

  test('a creation is tried again, and never billed', () => {
    const creating: Believed = { ...fresh, observed: 'changing', ...sent('create', after(1), true) }
    const what: Seen = { state: 'failed', reason: failure, since: after(20) }
    const { believed } = observe(creating, seen(what, after(30)))
    expect(believed).toMatchObject({ observed: 'absent', command: null, attempts: 1, last_error: failure })
    // Also one whose reply was lost.
    const lost: Believed = { ...fresh, ...sent('create', after(1), false) }
    expect(observe(lost, seen(what, after(30))).believed).toEqual(believed)
    expect(observe(believed, seen(what, after(40))).believed).toEqual(believed)
  })
})

describe('to the second', () => {
  const STOPPING = { ...running, desired: 'stopped' as const, observed: 'changing' as const, ...sent('stop', T0, true) }
  const STARTING = {
    ...stopped,
    desired: 'running' as const,
    observed: 'changing' as const,
    ...sent('start', T0, true),
  }
  const NOTHING = 'nothing changes'

  test.each<[string, Believed, Seen, Date, Meaning['run'] | typeof NOTHING]>([
    ['a stop shows what was before it for a minute', STOPPING, { state: 'running', since: null }, after(59), NOTHING],
    ['and no longer', STOPPING, { state: 'running', since: null }, after(60), { opens: T0 }],
    ['also when it was halted', STOPPING, { state: 'halted', since: null }, after(59), NOTHING],
    ['which it is billed for then', STOPPING, { state: 'halted', since: null }, after(60), { opens: after(60) }],
    ['a start shows what was before it', STARTING, { state: 'stopped', since: after(-9) }, after(59), NOTHING],
    ['and what ended in its second', STARTING, { state: 'stopped', since: T0 }, after(59), NOTHING],
    ['not what failed in it', STARTING, { state: 'stopped', since: T0, failure: 'No room.' }, after(9), { closes: T0 }],
    ['and a shutdown of before', STARTING, { state: 'halted', since: null }, after(59), NOTHING],
    ['that is billed from the start on', STARTING, { state: 'halted', since: null }, after(60), { opens: T0 }],
    ['not what ended after it', STARTING, { state: 'stopped', since: after(1) }, after(2), { closes: after(1) }],
    ['a start that says nothing of power may run', STARTING, { ...FAILED, since: after(9) }, after(59), NOTHING],
    ['for a minute', STARTING, { ...FAILED, since: after(9) }, after(60), { closes: after(9) }],
    ['a start nobody can date ends now', STARTING, { ...FAILED, since: null }, after(60), { closes: after(60) }],
    ['a stop sees the machine stopped', STOPPING, { state: 'stopped', since: after(9) }, after(10), { closes: T0 }],
    ['nobody asked for a stop', running, { state: 'stopped', since: null }, after(9), { closes: after(9) }],
  ])('%s', (_, machine, what, at, run) => {
    const { believed, run: came } = observe(machine, seen(what, at))
    const changed = came !== null || !isDeepStrictEqual(believed, machine)
    expect(changed ? came : NOTHING).toEqual(run)
  })

  test.each(['running', 'halted', 'stopped'] as const)(
    'a machine is first seen when it stands at all (%s)',
    (state) => {
      const creating: Believed = { ...fresh, observed: 'changing', ...sent('create', T0, true) }
      const { first_seen_at } = observe(creating, seen({ state, since: after(70) }, after(80))).believed
      expect(first_seen_at).toEqual(after(80))
      expect(observe(running, seen({ state, since: after(70) }, after(80))).believed.first_seen_at).toEqual(T0)
    },
  )

  test('a creation that failed closes what ran at the failure, or now when nobody knows when', () => {
    const creating: Believed = { ...fresh, observed: 'changing', ...sent('create', T0, true) }
    expect(observe(creating, seen({ ...FAILED, since: after(7) }, after(9))).run).toEqual({ closes: after(7) })
    expect(observe(creating, seen({ ...FAILED, since: null }, after(9))).run).toEqual({ closes: after(9) })
    // It failed before this creation was sent: that was another one.
    expect(observe(creating, seen({ ...FAILED, since: after(-1) }, after(9))).believed).toEqual(creating)
  })
})

/** Machines at rest, as a look finds them in one state and wanted in another. */
describe('a change by others is adopted only when it is later than our own command', () => {
  const at = after(90)
  test.each<[Believed, 'running' | 'stopped', Date | null, Believed['desired']]>([
    // Nothing was asked for: whoever moved it wanted it so.
    [running, 'stopped', null, 'stopped'],
    [stopped, 'running', null, 'running'],
    // It was not as wanted before: what is wanted here goes on.
    [{ ...stopped, desired: 'running' }, 'stopped', null, 'running'],
    [{ ...running, desired: 'stopped' }, 'running', null, 'stopped'],
    [{ ...running, desired: 'gone' }, 'stopped', null, 'gone'],
    // After the command that was taken, somebody did the opposite.
    [{ ...running, ...sent('start', T0, true) }, 'stopped', after(9), 'stopped'],
    [{ ...stopped, ...sent('stop', T0, true) }, 'running', after(9), 'running'],
    // Nobody knows when, or the command was another one, or was perhaps never taken.
    [{ ...running, ...sent('start', T0, true) }, 'stopped', null, 'running'],
    [{ ...stopped, ...sent('stop', T0, true) }, 'running', null, 'stopped'],
    [{ ...running, ...sent('restart', T0, true) }, 'stopped', after(9), 'running'],
    [{ ...running, ...sent('start', T0, false) }, 'stopped', after(9), 'running'],
    [{ ...stopped, ...sent('stop', T0, false) }, 'running', after(9), 'stopped'],
  ])('%#: %j seen %s since %s is wanted %s', (machine, state, since, desired) => {
    expect(observe(machine, seen({ state, since }, at)).believed.desired).toBe(desired)
    // The failed operation was no wish of anybody's.
    expect(observe(machine, seen({ state, since, failure: 'No room.' }, at)).believed.desired).toBe(machine.desired)
  })
})

const states = fc.oneof(
  fc.record({
    state: fc.constantFrom('running' as const, 'stopped' as const, 'halted' as const),
    since: fc.constantFrom(null, after(-10), after(20)),
  }),
  fc.record({
    state: fc.constantFrom('running' as const, 'stopped' as const, 'halted' as const),
    since: fc.constantFrom(null, after(-10), after(20)),
    failure: fc.constant('no'),
  }),
  fc.record({
    state: fc.constant('changing' as const),
    toward: fc.constantFrom('running' as const, 'stopped' as const, 'absent' as const, 'unknown' as const),
  }),
  fc.record({
    state: fc.constant('failed' as const),
    reason: fc.constant('no'),
    since: fc.constantFrom(null, after(20)),
  }),
  fc.constant({ state: 'absent' as const }),
)
const beliefs = fc.record({
  desired: fc.constantFrom('running' as const, 'stopped' as const, 'gone' as const),
  observed: fc.constantFrom('absent' as const, 'stopped' as const, 'running' as const, 'changing' as const),
  command: fc.constantFrom(
    null,
    'create' as const,
    'start' as const,
    'stop' as const,
    'restart' as const,
    'delete' as const,
  ),
  command_accepted: fc.boolean(),
})

test('seeing the same twice is seeing it once; what is gone stays gone; nothing is made again by a look', () => {
  fc.assert(
    fc.property(beliefs, states, fc.integer({ min: 0, max: 300 }), (belief, state, seconds) => {
      const command_at = belief.command === null ? null : T0
      const machine: Believed = { ...running, ...belief, command_at }
      const first = observe(machine, seen(state, after(seconds)))
      const again = observe(first.believed, seen(state, after(seconds)))
      expect(again.believed).toEqual(first.believed)
      expect(first.terminated).toBe(false)
      expect(belief.desired === 'gone' && first.believed.desired !== 'gone').toBe(false)
    }),
    { numRuns: 2000 },
  )
})
