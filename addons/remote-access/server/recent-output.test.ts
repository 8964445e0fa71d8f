import { expect, test } from 'vitest'
import { RecentOutput } from './recent-output.ts'

const KEPT = 128 * 1024

test('returns what followed the received bytes, also across the end of the ring', () => {
  const output = new RecentOutput()
  let all = ''
  for (let i = 0; all.length < 2.5 * KEPT; i += 1) {
    const line = `${i} ${'x'.repeat(i % 6_000)}\n`
    all += line
    output.push(Buffer.from(line))
    const received = Math.max(0, all.length - (i % 9_000))
    const { from, bytes } = output.since(received)
    expect(from).toBe(received)
    expect(bytes.toString()).toBe(all.slice(received))
  }
  expect(output.since(all.length - KEPT).bytes.toString()).toBe(all.slice(-KEPT))
})

test('returns what is kept if some output is lost, or if the page has received another terminal', () => {
  const output = new RecentOutput()
  output.push(Buffer.from('hello'))
  expect(output.since(6)).toEqual({ from: 0, bytes: Buffer.from('hello') })
  const large = 'y'.repeat(3 * KEPT + 7)
  output.push(Buffer.from(large))
  expect(output.since(5)).toEqual({ from: 5 + large.length - KEPT, bytes: Buffer.from(large.slice(-KEPT)) })
})
