import { expect, test } from 'vitest'
import { Shares, YieldingShares } from './shares.ts'

test('cuts the oldest holder of the share that is used up', () => {
  const shares = new YieldingShares({ address: 2, all: 3 })
  const cut: string[] = []
  const acquire = (name: string, address: string) => shares.acquire({ address }, () => cut.push(name))
  acquire('first', 'a')
  const release = acquire('second', 'b')
  acquire('third', 'a')
  acquire('fourth', 'a')
  expect(cut).toEqual(['first'])
  // All places are taken, though not those of the new network.
  acquire('fifth', 'c')
  expect(cut).toEqual(['first', 'second'])
  release()
  acquire('sixth', 'c')
  expect(cut).toEqual(['first', 'second', 'third'])
})

test('large organisations together leave places to another one', () => {
  const transfers = new Shares({ organisation: 40, all: 160 })
  const most = (organisation: string) => {
    let held = 0
    while (typeof transfers.acquire({ organisation }) === 'function') held += 1
    return held
  }
  expect(['a', 'b', 'c', 'd'].map(most)).toEqual([40, 40, 40, 20])
  expect(most('e')).toBe(10)
})
