import { expect, test } from 'vitest'
import { WriteRecord } from './record.ts'

test('reports acknowledged writes that are not stored, and ignores failed ones', () => {
  const record = new WriteRecord(0)
  const [first, second, third] = [record.next(), record.next(), record.next()]
  record.acknowledge(first, 10)
  record.acknowledge(third, 20)
  record.fail()
  expect(record.lost(new Set([first, second]))).toEqual([third])
  expect(record.lost(new Set([first, third]))).toEqual([])
  // A write that was acknowledged while the stored writes were being read is not lost.
  expect(record.lost(new Set([first]), 1)).toEqual([])
  expect([record.acknowledged, record.failed]).toEqual([2, 1])
})

test('measures the longest pause between two acknowledgements since a kill', () => {
  const record = new WriteRecord(0)
  record.acknowledge(record.next(), 9_000)
  record.startPause(9_100)
  record.acknowledge(record.next(), 9_200)
  record.acknowledge(record.next(), 13_200)
  record.acknowledge(record.next(), 13_300)
  expect(record.pause(13_400)).toBe(4_000)
  expect(record.pause(20_000)).toBe(6_700)
})
