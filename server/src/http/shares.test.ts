import { expect, test } from 'vitest'
import { YieldingShares } from './shares.ts'

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
