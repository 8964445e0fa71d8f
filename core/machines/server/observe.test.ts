import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CloudMachineState } from '@trainyard/templates/server/cloud.ts'
import { type ObservedFields, causeOf, type ObservationResult, type Observation, observe, VANISHED } from './observe.ts'

const T0 = new Date('2026-11-01T10:00:00Z')
const after = (seconds: number) => new Date(T0.getTime() + seconds * 1000)

const running: ObservedFields = {
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
const stopped: ObservedFields = { ...running, desired: 'stopped', observed: 'stopped' }
const neverSeen: ObservedFields = { ...running, observed: 'absent', first_seen_at: null, public_ip: null }
const seen = (what: CloudMachineState, at: Date): Observation => ({ kind: 'seen', seen: what, at, address: null })
const sent = (command: ObservedFields['command'], at: Date, command_accepted: boolean) => ({
  command,
  command_at: at,
  command_accepted,
})

const FAILED = { state: 'failed', reason: 'No room.' } as const

describe('billing', () => {
  test('bills a creation from the time at which the machine ran, not from its acceptance', () => {
    const accepted = observe(neverSeen, { kind: 'accepted', command: 'create', at: after(1) })
    expect(accepted.run).toBeNull()
    const { fields, run } = observe(accepted.fields, seen({ state: 'running', since: after(40) }, after(45)))
    expect(run).toEqual({ opens: after(40) })
    expect(fields).toMatchObject({ observed: 'running', command: null, first_seen_at: after(45) })
  })

  test('bills a start from its acceptance, and a stop until its acceptance', () => {
    expect(observe(stopped, { kind: 'accepted', command: 'start', at: after(5) }).run).toEqual({ opens: after(5) })
    expect(observe(running, { kind: 'accepted', command: 'stop', at: after(5) }).run).toEqual({ closes: after(5) })
    expect(observe(running, { kind: 'deleted', remaining: 'machine', at: after(5) }).run).toEqual({
      closes: after(5),
    })
  })

  test('bills a start with a lost reply from the time at which it was sent', () => {
    const withLostReply = { ...stopped, desired: 'running' as const, ...sent('start', after(10), false) }
    expect(observe(withLostReply, seen({ state: 'running', since: after(30) }, after(60))).run).toEqual({
      opens: after(10),
    })
    expect(observe(withLostReply, seen({ state: 'changing', toward: 'running' }, after(12))).run).toEqual({
      opens: after(10),
    })
    const undone = observe(withLostReply, seen({ state: 'stopped', since: after(0) }, after(12))).fields
    expect(undone).toMatchObject({ observed: 'stopped', desired: 'running', command: null })
  })

  test('interrupts billing for an accepted deletion only until the deletion failed, and reports it', () => {
    const { fields } = observe(
      { ...running, desired: 'gone' },
      { kind: 'deleted', remaining: 'machine', at: after(10) },
    )
    const failure = 'InternalExecutionError: It failed.'
    for (const state of ['running', 'halted'] as const) {
      const failed = observe(fields, seen({ state, since: after(40), failure }, after(90)))
      expect(failed.run).toEqual({ opens: after(40) })
      expect(failed.fields).toMatchObject({ observed: 'running', desired: 'gone', command: null, attempts: 1 })
      expect(failed.fields.last_error).toBe(failure)
      const again = observe(failed.fields, { kind: 'deleted', remaining: 'machine', at: after(95) })
      expect(again.run).toEqual({ closes: after(95) })
    }
    const unbilled = observe(fields, seen({ state: 'stopped', since: after(40), failure }, after(90)))
    expect(unbilled).toMatchObject({ run: null, fields: { observed: 'stopped', command: null, last_error: failure } })
    // A deletion may fail in the same second in which it was accepted.
    const atOnce = observe(fields, seen({ state: 'running', since: after(10), failure }, after(90)))
    expect(atOnce).toMatchObject({ run: { opens: after(10) }, fields: { attempts: 1 } })
    for (const what of [
      { state: 'running', since: null, failure },
      { state: 'running', since: after(9), failure },
      { state: 'running', since: after(40) },
      { state: 'failed', since: after(40), reason: failure },
      { state: 'absent' },
    ] as const) {
      expect(observe(fields, seen(what, after(90)))).toEqual({ fields, run: null, terminated: false })
    }
  })

  test('continues billing if an accepted stop failed', () => {
    const { fields } = observe(running, { kind: 'accepted', command: 'stop', at: after(10) })
    for (const since of [null, after(5), after(10)]) {
      expect(observe(fields, seen({ state: 'running', since }, after(90))).run).toEqual({ opens: after(10) })
    }
    // The machine was started again outside the portal.
    expect(observe(fields, seen({ state: 'running', since: after(60) }, after(90))).run).toEqual({ opens: after(60) })
  })

  test('ends billing for a stop with a lost reply at the time at which it was sent', () => {
    const withLostReply = { ...running, desired: 'stopped' as const, ...sent('stop', after(10), false) }
    expect(observe(withLostReply, seen({ state: 'stopped', since: after(30) }, after(60))).run).toEqual({
      closes: after(10),
    })
  })
})

describe('an accepted command', () => {
  test('is in progress, clears the earlier error, and stores the address of a new machine', () => {
    const creating = observe(
      { ...neverSeen, attempts: 2, last_error: 'No.' },
      { kind: 'accepted', command: 'create', at: after(5), address: '20.0.0.9' },
    )
    expect(creating.fields).toEqual({
      ...neverSeen,
      ...sent('create', after(5), true),
      observed: 'changing',
      public_ip: '20.0.0.9',
      attempts: 2,
    })
    const restarting = observe(running, { kind: 'accepted', command: 'restart', at: after(5) })
    expect(restarting).toMatchObject({ run: null, fields: { observed: 'changing', public_ip: running.public_ip } })
  })

  test('is the cause of the run that it opens or closes, as is a read, and the progress of a deletion', () => {
    const at = T0
    expect(causeOf({ kind: 'accepted', command: 'start', at })).toBe('start accepted')
    expect(causeOf({ kind: 'deleted', remaining: 'machine', at })).toBe('delete accepted')
    expect(causeOf({ kind: 'deleted', remaining: 'parts', at })).toBe('delete accepted')
    expect(causeOf({ kind: 'deleted', remaining: 'nothing', at })).toBe('deleted')
    expect(causeOf(seen({ state: 'halted', since: null }, at))).toBe('seen halted')
  })
})

describe('a completed deletion', () => {
  const deleted: Observation = { kind: 'deleted', remaining: 'nothing', at: after(5) }
  const deleting: ObservedFields = {
    ...running,
    observed: 'changing',
    restart_asked_at: T0,
    attempts: 2,
    last_error: 'No.',
    ...sent('delete', T0, true),
  }

  test('terminates a machine that must be deleted', () => {
    const toDelete: ObservedFields = { ...deleting, desired: 'gone' }
    expect(observe(toDelete, deleted)).toEqual({
      fields: {
        ...toDelete,
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

  test('starts the creation if the machine is being reset', () => {
    const { fields, terminated } = observe({ ...deleting, reset_asked_at: T0 }, deleted)
    expect(fields).toMatchObject({ ...neverSeen, command: null, reset_asked_at: null, last_error: null })
    expect(terminated).toBe(false)
  })

  test('is still in progress while parts remain', () => {
    const { fields, terminated } = observe(
      { ...deleting, desired: 'gone' },
      { kind: 'deleted', remaining: 'parts', at: after(5) },
    )
    expect(fields).toMatchObject({ observed: 'changing', ...sent('delete', after(5), true) })
    expect(terminated).toBe(false)
  })
})

describe('a machine seen running', () => {
  const at = seen({ state: 'running', since: null }, after(90))
  const failing: ObservedFields = { ...running, attempts: 2, last_error: 'No.' }

  test('in its desired state has no failure, and stores the address of the read', () => {
    expect(observe(failing, { ...at, address: '20.0.0.9' } as Observation).fields).toEqual({
      ...running,
      public_ip: '20.0.0.9',
    })
  })

  test.each<[string, Partial<ObservedFields>]>([
    ['without its own password', { password_due: true }],
    ['that must stop', { desired: 'stopped' }],
    ['that is being reset', { reset_asked_at: T0 }],
    ['that must be deleted', { desired: 'gone' }],
  ])('%s keeps its failure', (_which, more) => {
    const { fields } = observe({ ...failing, ...more }, at)
    expect(fields).toMatchObject({ ...more, attempts: 2, last_error: 'No.' })
  })

  test('counts as restarted only if a restart was sent', () => {
    const withRestart: ObservedFields = { ...running, restart_asked_at: T0 }
    expect(observe({ ...withRestart, ...sent('restart', T0, false) }, at).fields.restart_asked_at).toBeNull()
    expect(observe(withRestart, at).fields.restart_asked_at).toEqual(T0)
  })

  test('is billed from the time of the read if its start time is unknown', () => {
    const creating: ObservedFields = { ...neverSeen, observed: 'changing', ...sent('create', T0, true) }
    expect(observe(creating, at).run).toEqual({ opens: after(90) })
  })

  test('before it was recreated is treated as the previous machine', () => {
    const creating: ObservedFields = { ...neverSeen, observed: 'changing', ...sent('create', T0, true) }
    const old = observe(creating, seen({ state: 'running', since: after(-1) }, after(9)))
    expect(old).toMatchObject({ fields: creating, run: null })
    expect(
      observe({ ...creating, command_accepted: false }, seen({ state: 'running', since: after(-1) }, after(9))).run,
    ).toEqual({
      opens: after(-1),
    })
    expect(observe(creating, seen({ state: 'running', since: T0 }, after(9))).fields.observed).toBe('running')
  })
})

describe('a machine seen halted', () => {
  const halted = seen({ state: 'halted', since: after(20) }, after(90))

  test('becomes desired stopped without a restart, and is billed from then on', () => {
    const { fields, run } = observe({ ...running, restart_asked_at: T0 }, halted)
    expect(fields).toMatchObject({ desired: 'stopped', observed: 'running', restart_asked_at: null })
    expect(run).toEqual({ opens: after(20) })
  })

  test('that must be deleted must still be deleted', () => {
    expect(observe({ ...running, desired: 'gone' }, halted).fields.desired).toBe('gone')
    expect(observe({ ...running, reset_asked_at: T0 }, halted).fields.desired).toBe('running')
  })
})

describe('a machine that is changing', () => {
  const changing = (machine: ObservedFields, toward: 'running' | 'stopped' | 'absent' | 'unknown') =>
    observe(machine, seen({ state: 'changing', toward }, after(90)))
  const nothing = (machine: ObservedFields) => ({ fields: machine, run: null, terminated: false })

  test('by an accepted command changes nothing', () => {
    const stopping: ObservedFields = { ...running, observed: 'changing', ...sent('stop', T0, true) }
    for (const toward of ['stopped', 'absent'] as const) expect(changing(stopping, toward)).toEqual(nothing(stopping))
  })

  test('in the direction of a command with a lost reply proves that the command was accepted', () => {
    for (const [command, toward] of [
      ['create', 'running'],
      ['start', 'running'],
      ['stop', 'stopped'],
      ['delete', 'absent'],
      // A restart first stops the machine, then starts it.
      ['restart', 'stopped'],
      ['restart', 'running'],
    ] as const) {
      const withLostReply: ObservedFields = { ...running, ...sent(command, after(10), false) }
      expect(changing(withLostReply, toward).fields).toMatchObject({
        observed: 'changing',
        ...sent(command, after(10), true),
      })
    }
    const withLostReply: ObservedFields = { ...running, ...sent('stop', after(10), false) }
    for (const toward of ['running', 'absent', 'unknown'] as const)
      expect(changing(withLostReply, toward)).toEqual(nothing(withLostReply))
  })

  test('outside the portal changes the desired state, unless the machine is being deleted', () => {
    expect(changing(stopped, 'running')).toEqual({
      fields: { ...stopped, observed: 'changing', desired: 'running' },
      run: { opens: after(90) },
      terminated: false,
    })
    expect(changing({ ...running, restart_asked_at: T0 }, 'stopped')).toEqual({
      fields: { ...running, observed: 'changing', desired: 'stopped' },
      run: { closes: after(90) },
      terminated: false,
    })
    expect(changing({ ...stopped, desired: 'gone' }, 'running').fields.desired).toBe('gone')
    expect(changing({ ...running, desired: 'gone' }, 'stopped').fields.desired).toBe('gone')
    expect(changing(running, 'absent')).toEqual({
      fields: { ...running, observed: 'changing' },
      run: { closes: after(90) },
      terminated: false,
    })
  })

  test('toward its known state changes nothing', () => {
    expect(changing(running, 'running')).toEqual(nothing(running))
    expect(changing(stopped, 'stopped')).toEqual(nothing(stopped))
    expect(changing(running, 'unknown')).toEqual(nothing(running))
    expect(changing(stopped, 'unknown')).toEqual(nothing(stopped))
  })
})

describe('an absent machine', () => {
  const absent = (machine: ObservedFields, seconds = 90) => observe(machine, seen({ state: 'absent' }, after(seconds)))
  const nothing = (machine: ObservedFields) => ({ fields: machine, run: null, terminated: false })

  test('was not created if the reply was lost, but may still appear while it must be deleted', () => {
    const withLostReply: ObservedFields = { ...neverSeen, ...sent('create', T0, false) }
    expect(absent(withLostReply).fields).toEqual(neverSeen)
    expect(absent({ ...withLostReply, desired: 'gone' })).toEqual(nothing({ ...withLostReply, desired: 'gone' }))
  })

  test('may appear within a minute after its creation was accepted', () => {
    const creating: ObservedFields = { ...neverSeen, observed: 'changing', ...sent('create', T0, true) }
    expect(absent(creating, 59)).toEqual(nothing(creating))
    expect(absent(creating, 60).fields).toMatchObject({ desired: 'gone', ended: VANISHED })
  })

  test('shows that a deletion with a lost reply was accepted', () => {
    const withLostReply: ObservedFields = { ...running, desired: 'gone', ...sent('delete', after(10), false) }
    expect(absent(withLostReply)).toMatchObject({ run: { closes: after(10) }, fields: sent('delete', after(10), true) })
  })

  test('was never created, or was deleted as desired', () => {
    expect(absent(neverSeen)).toEqual(nothing(neverSeen))
    const going: ObservedFields = { ...running, desired: 'gone', ...sent('stop', T0, true) }
    expect(absent(going)).toMatchObject({
      run: { closes: after(90) },
      fields: { observed: 'changing', desired: 'gone', ended: null, command: null },
    })
  })

  test('has disappeared, which clears its failure and its restart', () => {
    const vanished = absent({ ...running, attempts: 2, last_error: 'No.', restart_asked_at: T0 })
    expect(vanished.fields).toEqual({ ...running, desired: 'gone', observed: 'changing', ended: VANISHED })
  })
})

describe('changes outside the portal', () => {
  test('set the desired state to the new power state', () => {
    const down = observe(running, seen({ state: 'stopped', since: after(20) }, after(30)))
    expect(down).toMatchObject({ fields: { desired: 'stopped', observed: 'stopped' }, run: { closes: after(20) } })
    const up = observe(stopped, seen({ state: 'running', since: after(20) }, after(30)))
    expect(up).toMatchObject({ fields: { desired: 'running', observed: 'running' }, run: { opens: after(20) } })
  })

  test('leave a machine billed after a shutdown from inside; it must be deallocated', () => {
    const { fields } = observe(running, seen({ state: 'halted', since: null }, after(30)))
    expect(fields).toMatchObject({ desired: 'stopped', observed: 'running' })
  })

  test('mark a machine that disappeared for deletion, with the reason', () => {
    const { fields, run, terminated } = observe(running, seen({ state: 'absent' }, after(30)))
    expect(fields).toMatchObject({ desired: 'gone', ended: VANISHED })
    expect(run).toEqual({ closes: after(30) })
    expect(terminated).toBe(false)
  })

  test('do not override a newer request of the portal', () => {
    const withRestart = { ...stopped, desired: 'running' as const }
    expect(observe(withRestart, seen({ state: 'stopped', since: after(-60) }, after(30))).fields.desired).toBe(
      'running',
    )
    const asking = { ...running, desired: 'stopped' as const }
    expect(observe(asking, seen({ state: 'running', since: after(-60) }, after(30))).fields.desired).toBe('stopped')
  })
})

describe('a stale read', () => {
  test('of a machine that still runs does not undo its stop', () => {
    const stopping = {
      ...running,
      desired: 'stopped' as const,
      observed: 'changing' as const,
      ...sent('stop', after(10), true),
    }
    const { fields, run } = observe(stopping, seen({ state: 'running', since: after(0) }, after(20)))
    expect([fields, run]).toEqual([stopping, null])
  })

  test('of a machine that is being deleted changes nothing', () => {
    const deleting = {
      ...running,
      desired: 'gone' as const,
      observed: 'changing' as const,
      ...sent('delete', after(10), true),
    }
    expect(observe(deleting, seen({ state: 'running', since: after(0) }, after(20))).fields).toEqual(deleting)
  })
})

describe('a command that fails at the provider', () => {
  const failure = 'AllocationFailed: No room.'
  const withRestart = (command: 'start' | 'stop', from: ObservedFields): ObservedFields => ({
    ...from,
    desired: command === 'start' ? 'running' : 'stopped',
    observed: 'changing',
    ...sent(command, after(10), true),
  })

  test('is reported, counted once, and retried', () => {
    const what: CloudMachineState = { state: 'stopped', since: after(20), failure }
    const once = observe(withRestart('start', stopped), seen(what, after(30)))
    expect(once.fields).toMatchObject({ observed: 'stopped', command: null, attempts: 1, last_error: failure })
    const duplicate = observe(once.fields, seen(what, after(35)))
    expect(duplicate.fields).toEqual(once.fields)
  })

  test('bills a start until it failed, however late the failure is noticed', () => {
    const what: CloudMachineState = { state: 'stopped', since: after(14), failure }
    expect(observe(withRestart('start', stopped), seen(what, after(230))).run).toEqual({ closes: after(14) })
  })

  test('bills a failed stop from the failure on, without counting a start outside the portal', () => {
    const { fields, run } = observe(
      withRestart('stop', running),
      seen({ state: 'running', since: after(40), failure }, after(60)),
    )
    expect(fields).toMatchObject({ desired: 'stopped', observed: 'running', attempts: 1, last_error: failure })
    expect(run).toEqual({ opens: after(40) })
  })

  test('ignores a failed stop if the machine is no longer billed', () => {
    const what: CloudMachineState = { state: 'stopped', since: after(20), failure }
    expect(observe(withRestart('stop', running), seen(what, after(30))).fields).toMatchObject({
      desired: 'stopped',
      observed: 'stopped',
      attempts: 0,
      last_error: null,
    })
    // A failure that was stored earlier is also cleared.
    const remaining = { ...stopped, attempts: 3, last_error: failure }
    expect(observe(remaining, seen(what, after(90))).fields).toMatchObject({ attempts: 0, last_error: null })
  })

  test('ignores a failure that is older than the command', () => {
    const starting = withRestart('start', stopped)
    expect(observe(starting, seen({ state: 'stopped', since: after(4), failure }, after(12)))).toMatchObject({
      fields: starting,
      run: null,
    })
    const withLostReply = { ...starting, observed: 'stopped' as const, ...sent('start', after(10), false) }
    expect(
      observe(withLostReply, seen({ state: 'stopped', since: after(4), failure }, after(12))).fields,
    ).toMatchObject({
      command: null,
      attempts: 0,
      last_error: null,
    })
  })

  test('without a known power state fails only if a start was long ago', () => {
    const what: CloudMachineState = { state: 'failed', reason: failure, since: after(20) }
    for (const machine of [running, withRestart('stop', running), withRestart('start', stopped)]) {
      expect(observe(machine, seen(what, after(30)))).toMatchObject({ fields: machine, run: null })
    }
    const { fields, run } = observe(withRestart('start', stopped), seen(what, after(90)))
    expect([fields.observed, fields.last_error, run]).toEqual(['stopped', failure, { closes: after(20) }])
  })

  test('retries a creation and never bills it', () => {
    const creating: ObservedFields = { ...neverSeen, observed: 'changing', ...sent('create', after(1), true) }
    const what: CloudMachineState = { state: 'failed', reason: failure, since: after(20) }
    const { fields } = observe(creating, seen(what, after(30)))
    expect(fields).toMatchObject({ observed: 'absent', command: null, attempts: 1, last_error: failure })
    const withLostReply: ObservedFields = { ...neverSeen, ...sent('create', after(1), false) }
    expect(observe(withLostReply, seen(what, after(30))).fields).toEqual(fields)
    expect(observe(fields, seen(what, after(40))).fields).toEqual(fields)
  })
})

describe('boundaries in seconds', () => {
  const STOPPING = { ...running, desired: 'stopped' as const, observed: 'changing' as const, ...sent('stop', T0, true) }
  const STARTING = {
    ...stopped,
    desired: 'running' as const,
    observed: 'changing' as const,
    ...sent('start', T0, true),
  }
  const NOTHING = 'nothing changes'

  test.each<[string, ObservedFields, CloudMachineState, Date, ObservationResult['run'] | typeof NOTHING]>([
    ['a read after a stop is stale for a minute', STOPPING, { state: 'running', since: null }, after(59), NOTHING],
    ['and not longer', STOPPING, { state: 'running', since: null }, after(60), { opens: T0 }],
    ['also if the machine was halted', STOPPING, { state: 'halted', since: null }, after(59), NOTHING],
    [
      'a halted machine is billed afterwards',
      STOPPING,
      { state: 'halted', since: null },
      after(60),
      { opens: after(60) },
    ],
    ['a read after a start is stale', STARTING, { state: 'stopped', since: after(-9) }, after(59), NOTHING],
    ['also an operation that ended in the same second', STARTING, { state: 'stopped', since: T0 }, after(59), NOTHING],
    [
      'but not one that failed in it',
      STARTING,
      { state: 'stopped', since: T0, failure: 'No room.' },
      after(9),
      { closes: T0 },
    ],
    ['also an earlier shutdown', STARTING, { state: 'halted', since: null }, after(59), NOTHING],
    [
      'a later halted read is billed from the start on',
      STARTING,
      { state: 'halted', since: null },
      after(60),
      { opens: T0 },
    ],
    [
      'but not an operation that ended later',
      STARTING,
      { state: 'stopped', since: after(1) },
      after(2),
      { closes: after(1) },
    ],
    ['a failed start without a power state may run', STARTING, { ...FAILED, since: after(9) }, after(59), NOTHING],
    ['for a minute only', STARTING, { ...FAILED, since: after(9) }, after(60), { closes: after(9) }],
    [
      'a failure without a time counts from now',
      STARTING,
      { ...FAILED, since: null },
      after(60),
      { closes: after(60) },
    ],
    ['a stop is confirmed', STOPPING, { state: 'stopped', since: after(9) }, after(10), { closes: T0 }],
    ['a stop outside the portal', running, { state: 'stopped', since: null }, after(9), { closes: after(9) }],
  ])('%s', (_, machine, what, at, run) => {
    const { fields, run: opened } = observe(machine, seen(what, at))
    const changed = opened !== null || !isDeepStrictEqual(fields, machine)
    expect(changed ? opened : NOTHING).toEqual(run)
  })

  test.each(['running', 'halted', 'stopped'] as const)(
    'a machine is first seen when it exists in any power state (%s)',
    (state) => {
      const creating: ObservedFields = { ...neverSeen, observed: 'changing', ...sent('create', T0, true) }
      const { first_seen_at } = observe(creating, seen({ state, since: after(70) }, after(80))).fields
      expect(first_seen_at).toEqual(after(80))
      expect(observe(running, seen({ state, since: after(70) }, after(80))).fields.first_seen_at).toEqual(T0)
    },
  )

  test('a failed creation closes the run at the failure, or now if its time is unknown', () => {
    const creating: ObservedFields = { ...neverSeen, observed: 'changing', ...sent('create', T0, true) }
    expect(observe(creating, seen({ ...FAILED, since: after(7) }, after(9))).run).toEqual({ closes: after(7) })
    expect(observe(creating, seen({ ...FAILED, since: null }, after(9))).run).toEqual({ closes: after(9) })
    // The failure is earlier than this creation, so it belongs to an earlier creation.
    expect(observe(creating, seen({ ...FAILED, since: after(-1) }, after(9))).fields).toEqual(creating)
  })
})

/** Machines that were read in another state than the desired state, with no operation in progress. */
describe("a change outside the portal sets the desired state only if it is later than the portal's command", () => {
  const at = after(90)
  test.each<[ObservedFields, 'running' | 'stopped', Date | null, ObservedFields['desired']]>([
    // No command was sent, so the change is intended.
    [running, 'stopped', null, 'stopped'],
    [stopped, 'running', null, 'running'],
    // The machine was not in its desired state before, so the desired state does not change.
    [{ ...stopped, desired: 'running' }, 'stopped', null, 'running'],
    [{ ...running, desired: 'stopped' }, 'running', null, 'stopped'],
    [{ ...running, desired: 'gone' }, 'stopped', null, 'gone'],
    // The opposite change was made outside the portal after the portal's command was accepted.
    [{ ...running, ...sent('start', T0, true) }, 'stopped', after(9), 'stopped'],
    [{ ...stopped, ...sent('stop', T0, true) }, 'running', after(9), 'running'],
    // The time is unknown, or the command was a different one or may not have been accepted.
    [{ ...running, ...sent('start', T0, true) }, 'stopped', null, 'running'],
    [{ ...stopped, ...sent('stop', T0, true) }, 'running', null, 'stopped'],
    [{ ...running, ...sent('restart', T0, true) }, 'stopped', after(9), 'running'],
    [{ ...running, ...sent('start', T0, false) }, 'stopped', after(9), 'running'],
    [{ ...stopped, ...sent('stop', T0, false) }, 'running', after(9), 'stopped'],
  ])('%#: %j seen %s since %s gets the desired state %s', (machine, state, since, desired) => {
    expect(observe(machine, seen({ state, since }, at)).fields.desired).toBe(desired)
    // A failed operation does not show an intention of a user.
    expect(observe(machine, seen({ state, since, failure: 'No room.' }, at)).fields.desired).toBe(machine.desired)
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
const machines = fc.record({
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

test('a repeated observation changes nothing, and no read recreates a deleted machine', () => {
  fc.assert(
    fc.property(machines, states, fc.integer({ min: 0, max: 300 }), (before, state, seconds) => {
      const command_at = before.command === null ? null : T0
      const machine: ObservedFields = { ...running, ...before, command_at }
      const first = observe(machine, seen(state, after(seconds)))
      const again = observe(first.fields, seen(state, after(seconds)))
      expect(again.fields).toEqual(first.fields)
      expect(first.terminated).toBe(false)
      expect(before.desired === 'gone' && first.fields.desired !== 'gone').toBe(false)
    }),
    { numRuns: 2000 },
  )
})
