import { describe, expect, test } from 'vitest'
import { RecordedHandshake } from './recorded-handshake.ts'

const [USER, OWN_CHANNEL, SHARE] = [7, 1003, 0x1234]

/** Returns a TPKT packet with data of the session's own channel, see MS-RDPBCGR 2.2.1.13.1.1 and 2.2.8.1.1.1.1. */
function packet(by: 'client' | 'machine', kind: number, more: number[]): Buffer {
  const control = Buffer.alloc(6 + more.length)
  control.writeUInt16LE(control.length, 0)
  control.writeUInt16LE(0x10 | kind, 2)
  control.writeUInt16LE(USER, 4)
  Buffer.from(more).copy(control, 6)
  const head = Buffer.from([3, 0, 0, 0, 2, 0xf0, 0x80, by === 'client' ? 0x64 : 0x68, 0, 0, 0, 0, 0x70, control.length])
  head.writeUInt16BE(head.length + control.length, 2)
  head.writeUInt16BE(USER, 8)
  head.writeUInt16BE(OWN_CHANNEL, 10)
  return Buffer.concat([head, control])
}
const data = (type: number, content: number[] = []): Buffer =>
  packet('machine', 7, [SHARE & 0xff, SHARE >> 8, 0, 0, 0, 1, 0, 0, type, 0, 0, 0, ...content])

describe('an established session', () => {
  const opening = new RecordedHandshake()
  opening.recordLearner(packet('client', 3, [SHARE & 0xff, SHARE >> 8, 0, 0]))
  const secret = data(0x26, [...Buffer.from('comes back without a password')])

  test('forwards PDUs to watchers except session info with the reconnect cookie', () => {
    expect(opening.recordMachine(data(0x14))).toBe('all')
    expect(opening.recordMachine(secret)).toBe('none')
    expect(opening.recordMachine(data(0x28))).toBe('all')
    expect(opening.isComplete).toBe(true)
    expect(opening.recordMachine(secret)).toBe('none')
    expect(opening.recordMachine(data(0x14))).toBe('all')
  })

  test('replays the handshake to later watchers without the session info', () => {
    const { packets, isLast } = opening.packetsAfter(10, 0)
    expect(packets).toEqual([data(0x14), data(0x28)])
    expect(isLast).toBe(true)
  })
})
