import { describe, expect, test } from 'vitest'
import type { Claimant } from '../shares.ts'
import { Gate, type GateClass } from './gate.ts'

const CLASSES: readonly GateClass[] = [
  { waitMs: 5_000, busyWaitMs: 5_000 },
  { waitMs: 2_000, busyWaitMs: 300 },
]
const [CHANGE, READ] = [0, 1]

/** Caller of the calls that name no other one. */
const ANN: Claimant = { user: 'ann', organisation: 'acme' }
const ALL = { user: 100, organisation: 100 }

/** Returns a gate for `limit` calls with a manual clock, and a log of what happened to each named call. */
function gateOf(limit: number, waitingMax = 100, shares = ALL, strangersShare = false) {
  const clock = { now: 0 }
  const gate = new Gate({ classes: CLASSES, limit, shares, waitingMax, strangersShare, now: () => clock.now })
  const log: string[] = []
  const enter = (name: string, rank: number, claimant = ANN) =>
    gate.enter(
      rank,
      claimant,
      () => log.push(`${name} starts`),
      (reason) => log.push(`${name}: ${reason}`),
    )
  const takeLog = () => log.splice(0)
  return { gate, enter, take: takeLog, clock }
}

describe('a gate', () => {
  test('starts calls up to its limit, and starts the next call when a call ends', () => {
    const { gate, enter, take: takeLog } = gateOf(2)
    const [a] = [enter('a', READ), enter('b', READ), enter('c', READ)]
    expect(takeLog()).toEqual(['a starts', 'b starts'])
    expect(gate.state).toEqual({ running: 2, waiting: 1, limit: 2 })
    a.release()
    a.release()
    expect(takeLog()).toEqual(['c starts'])
    expect(gate.state).toEqual({ running: 2, waiting: 0, limit: 2 })
    gate.close()
  })

  test('runs the calls of a user with many waiting calls one at a time, but not those of a network', () => {
    const runningAfter = (claimant: Claimant) => {
      const { gate, enter } = gateOf(16, 100, { user: 4, organisation: 12 }, true)
      const entered = Array.from({ length: 40 }, (_, n) => enter(`${n}`, READ, claimant))
      for (const call of entered.slice(0, 4)) call.release()
      const { running } = gate.state
      gate.close()
      return running
    }
    expect([runningAfter(ANN), runningAfter({ address: 'school' })]).toEqual([1, 4])
  })

  test('starts the more important class first, and the oldest of a class while the queue is short', () => {
    const { gate, enter, take: takeLog } = gateOf(1)
    const first = enter('first', READ)
    const entered = [enter('read 1', READ), enter('read 2', READ), enter('change', CHANGE)]
    takeLog()
    first.release()
    entered[2]!.release()
    entered[0]!.release()
    expect(takeLog()).toEqual(['change starts', 'read 1 starts', 'read 2 starts'])
    gate.close()
  })

  test('refuses calls at their deadline, which is shorter while a queue persists', () => {
    const { gate, enter, take: takeLog, clock } = gateOf(1)
    enter('running', READ)
    enter('early', READ)
    clock.now = 400
    gate.expire()
    enter('late', READ)
    enter('change', CHANGE)
    expect(takeLog()).toEqual(['running starts'])
    clock.now = 600
    gate.expire()
    expect(takeLog()).toEqual(['early: waited too long'])
    clock.now = 700
    gate.expire()
    expect(takeLog()).toEqual(['late: waited too long'])
    clock.now = 5_400
    gate.expire()
    expect(takeLog()).toEqual(['change: waited too long'])
    expect(gate.isOverloaded).toBe(false)
  })

  test('refuses the oldest call of the least important class when its queue is full', () => {
    const { gate, enter, take: takeLog } = gateOf(1, 2)
    enter('running', READ)
    enter('read 1', READ)
    enter('change 1', CHANGE)
    takeLog()
    enter('read 2', READ)
    enter('change 2', CHANGE)
    enter('read 3', READ)
    expect(takeLog()).toEqual(['read 1: queue full', 'read 2: queue full', 'read 3: queue full'])
    expect(gate.state.waiting).toBe(2)
    gate.close()
  })

  test('starts a call of the organisation, and of the user, with the fewest running calls first', () => {
    const { gate, enter, take: takeLog } = gateOf(4)
    const running = [1, 2, 3].map((n) => enter(`ann ${n}`, READ))
    const bob = enter('bob', READ, { user: 'bob', organisation: 'beta' })
    enter('ann 4', READ)
    enter('amy', READ, { user: 'amy', organisation: 'acme' })
    enter('bea', READ, { user: 'bea', organisation: 'beta' })
    enter('dan', READ, { address: '10.0.0.1' })
    takeLog()
    for (const call of [...running, bob]) call.release()
    expect(takeLog()).toEqual(['dan starts', 'amy starts', 'ann 4 starts', 'bea starts'])
    gate.close()
  })

  test('starts a read of an organisation before further changes of another', () => {
    const { gate, enter, take: takeLog } = gateOf(2)
    const running = [enter('ann 1', CHANGE), enter('ann 2', CHANGE)]
    for (const n of [3, 4]) enter(`ann ${n}`, CHANGE)
    enter('bob', READ, { user: 'bob', organisation: 'beta' })
    takeLog()
    for (const call of running) call.release()
    expect(takeLog()).toEqual(['bob starts', 'ann 3 starts'])
    gate.close()
  })

  test('leaves places free for others when a user or an organisation has used its share', () => {
    const { gate, enter, take: takeLog } = gateOf(8, 100, { user: 2, organisation: 3 })
    for (const n of [1, 2, 3]) enter(`ann ${n}`, CHANGE)
    enter('amy 1', READ, { user: 'amy', organisation: 'acme' })
    enter('amy 2', READ, { user: 'amy', organisation: 'acme' })
    enter('bob', READ, { user: 'bob', organisation: 'beta' })
    expect(takeLog()).toEqual(['ann 1 starts', 'ann 2 starts', 'amy 1 starts', 'bob starts'])
    expect([gate.state.running, gate.isOverloaded]).toEqual([4, false])
    gate.close()
  })

  test('refuses a waiting call of the greediest user of the greediest organisation when the queue is full', () => {
    const { gate, enter, take: takeLog } = gateOf(1, 5)
    enter('running', READ)
    for (const n of [1, 2, 3, 4]) enter(`ann ${n}`, CHANGE)
    enter('amy', CHANGE, { user: 'amy', organisation: 'acme' })
    takeLog()
    enter('bob', READ, { user: 'bob', organisation: 'beta' })
    expect(takeLog()).toEqual(['ann 1: queue full'])
    enter('amy 2', READ, { user: 'amy', organisation: 'acme' })
    expect(takeLog()).toEqual(['ann 2: queue full'])
    gate.close()
  })

  test('gives callers of many networks who are not known the share of one organisation', () => {
    const { gate, enter, take: takeLog } = gateOf(8, 100, { user: 2, organisation: 3 }, true)
    for (const n of [1, 2, 3, 4]) enter(`stranger ${n}`, READ, { address: `2001:db8:0:${n}::/64` })
    enter('ann', READ)
    expect(takeLog()).toEqual(['stranger 1 starts', 'stranger 2 starts', 'stranger 3 starts', 'ann starts'])
    gate.close()
  })

  test('removes a waiting call whose client has disconnected', () => {
    const { gate, enter, take: takeLog } = gateOf(1)
    const running = enter('running', READ)
    const remaining = enter('left', READ)
    remaining.release()
    running.release()
    expect(takeLog()).toEqual(['running starts', 'left: client left'])
    expect(gate.state).toEqual({ running: 0, waiting: 0, limit: 1 })
  })
})
