import { describe, expect, test, vi } from 'vitest'
import type { Claimant } from '../shares.ts'
import { CallQueue } from './queue.ts'

const WAIT_MS = [5_000, 2_000]
const [CHANGE, READ] = [0, 1]

/** Caller of the calls that name no other one. */
const ANN: Claimant = { user: 'ann', organisation: 'acme' }
const ALL = { user: 100, organisation: 100 }

/** Returns a queue for `limit` calls, and a log of what happened to each named call. */
function queueOf(limit: number, waitingMax = 100, shares = ALL, strangersShare = false) {
  const queue = new CallQueue({ waitMs: WAIT_MS, limit, shares, waitingMax, strangersShare })
  const log: string[] = []
  const enter = (name: string, rank: number, claimant = ANN) =>
    queue.enter(
      rank,
      claimant,
      () => log.push(`${name} starts`),
      (reason) => log.push(`${name}: ${reason}`),
    )
  const takeLog = () => log.splice(0)
  return { queue, enter, take: takeLog }
}

describe('the queue of calls', () => {
  test('starts calls up to its limit, and starts the next call when a call ends', () => {
    const { queue, enter, take: takeLog } = queueOf(2)
    const [a] = [enter('a', READ), enter('b', READ), enter('c', READ)]
    expect(takeLog()).toEqual(['a starts', 'b starts'])
    expect(queue.state).toEqual({ running: 2, waiting: 1, limit: 2 })
    a.release()
    a.release()
    expect(takeLog()).toEqual(['c starts'])
    expect(queue.state).toEqual({ running: 2, waiting: 0, limit: 2 })
    queue.close()
  })

  test('runs the calls of a user with many waiting calls one at a time, but not those of a network', () => {
    const runningAfter = (claimant: Claimant) => {
      const { queue, enter } = queueOf(16, 100, { user: 4, organisation: 12 }, true)
      const entered = Array.from({ length: 40 }, (_, n) => enter(`${n}`, READ, claimant))
      for (const call of entered.slice(0, 4)) call.release()
      const { running } = queue.state
      queue.close()
      return running
    }
    expect([runningAfter(ANN), runningAfter({ address: 'school' })]).toEqual([1, 4])
  })

  test('starts the more important class first, and the oldest of a class', () => {
    const { queue, enter, take: takeLog } = queueOf(1)
    const first = enter('first', READ)
    const entered = [enter('read 1', READ), enter('read 2', READ), enter('change', CHANGE)]
    takeLog()
    first.release()
    entered[2]!.release()
    entered[0]!.release()
    expect(takeLog()).toEqual(['change starts', 'read 1 starts', 'read 2 starts'])
    queue.close()
  })

  test('refuses calls at the deadline of their class', () => {
    vi.useFakeTimers()
    try {
      const { enter, take: takeLog } = queueOf(1)
      enter('running', READ)
      enter('read', READ)
      enter('change', CHANGE)
      vi.advanceTimersByTime(1_999)
      expect(takeLog()).toEqual(['running starts'])
      vi.advanceTimersByTime(1)
      expect(takeLog()).toEqual(['read: waited too long'])
      vi.advanceTimersByTime(3_000)
      expect(takeLog()).toEqual(['change: waited too long'])
    } finally {
      vi.useRealTimers()
    }
  })

  test('refuses the oldest call of the least important class when the queue is full', () => {
    const { queue, enter, take: takeLog } = queueOf(1, 2)
    enter('running', READ)
    enter('read 1', READ)
    enter('change 1', CHANGE)
    takeLog()
    enter('read 2', READ)
    enter('change 2', CHANGE)
    enter('read 3', READ)
    expect(takeLog()).toEqual(['read 1: queue full', 'read 2: queue full', 'read 3: queue full'])
    expect(queue.state.waiting).toBe(2)
    queue.close()
  })

  test('starts a call of the organisation, and of the user, with the fewest running calls first', () => {
    const { queue, enter, take: takeLog } = queueOf(4)
    const running = [1, 2, 3].map((n) => enter(`ann ${n}`, READ))
    const bob = enter('bob', READ, { user: 'bob', organisation: 'beta' })
    enter('ann 4', READ)
    enter('amy', READ, { user: 'amy', organisation: 'acme' })
    enter('bea', READ, { user: 'bea', organisation: 'beta' })
    enter('dan', READ, { address: '10.0.0.1' })
    takeLog()
    for (const call of [...running, bob]) call.release()
    expect(takeLog()).toEqual(['dan starts', 'amy starts', 'ann 4 starts', 'bea starts'])
    queue.close()
  })

  test('starts a read of an organisation before further changes of another', () => {
    const { queue, enter, take: takeLog } = queueOf(2)
    const running = [enter('ann 1', CHANGE), enter('ann 2', CHANGE)]
    for (const n of [3, 4]) enter(`ann ${n}`, CHANGE)
    enter('bob', READ, { user: 'bob', organisation: 'beta' })
    takeLog()
    for (const call of running) call.release()
    expect(takeLog()).toEqual(['bob starts', 'ann 3 starts'])
    queue.close()
  })

  test('leaves places free for others when a user or an organisation has used its share', () => {
    const { queue, enter, take: takeLog } = queueOf(8, 100, { user: 2, organisation: 3 })
    for (const n of [1, 2, 3]) enter(`ann ${n}`, CHANGE)
    enter('amy 1', READ, { user: 'amy', organisation: 'acme' })
    enter('amy 2', READ, { user: 'amy', organisation: 'acme' })
    enter('bob', READ, { user: 'bob', organisation: 'beta' })
    expect(takeLog()).toEqual(['ann 1 starts', 'ann 2 starts', 'amy 1 starts', 'bob starts'])
    expect(queue.state.running).toBe(4)
    queue.close()
  })

  test('refuses a waiting call of the greediest user of the greediest organisation when the queue is full', () => {
    const { queue, enter, take: takeLog } = queueOf(1, 5)
    enter('running', READ)
    for (const n of [1, 2, 3, 4]) enter(`ann ${n}`, CHANGE)
    enter('amy', CHANGE, { user: 'amy', organisation: 'acme' })
    takeLog()
    enter('bob', READ, { user: 'bob', organisation: 'beta' })
    expect(takeLog()).toEqual(['ann 1: queue full'])
    enter('amy 2', READ, { user: 'amy', organisation: 'acme' })
    expect(takeLog()).toEqual(['ann 2: queue full'])
    queue.close()
  })

  test('gives callers of many networks who are not known the share of one organisation', () => {
    const { queue, enter, take: takeLog } = queueOf(8, 100, { user: 2, organisation: 3 }, true)
    for (const n of [1, 2, 3, 4]) enter(`stranger ${n}`, READ, { address: `2001:db8:0:${n}::/64` })
    enter('ann', READ)
    expect(takeLog()).toEqual(['stranger 1 starts', 'stranger 2 starts', 'stranger 3 starts', 'ann starts'])
    queue.close()
  })

  test('counts the calls of a user anew after all have ended', () => {
    const { queue, enter, take: takeLog } = queueOf(8, 100, { user: 1, organisation: 3 })
    const first = enter('first', READ)
    const second = enter('second', READ)
    first.release()
    second.release()
    enter('third', READ)
    enter('fourth', READ)
    expect(takeLog()).toEqual(['first starts', 'second starts', 'third starts'])
    expect(queue.state).toEqual({ running: 1, waiting: 1, limit: 8 })
    queue.close()
  })

  test('removes a waiting call whose client has disconnected', () => {
    const { queue, enter, take: takeLog } = queueOf(1)
    const running = enter('running', READ)
    const remaining = enter('left', READ)
    remaining.release()
    running.release()
    expect(takeLog()).toEqual(['running starts', 'left: client left'])
    expect(queue.state).toEqual({ running: 0, waiting: 0, limit: 1 })
  })
})
