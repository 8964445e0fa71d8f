import { expect, test } from 'vitest'
import { requestTrueColour } from './client-settings.ts'

/** Length of the core data of the page's client. */
const CORE_BYTES = 234

/** Returns a Connect Initial of a client that requests 16 bits per pixel. The prefix also contains `01 c0`. */
function connectInitial(coreBytes = CORE_BYTES): { packet: Buffer; core: Buffer } {
  const core = Buffer.alloc(coreBytes)
  core.writeUInt16LE(0xc001, 0)
  core.writeUInt16LE(coreBytes, 2)
  if (coreBytes > 144) core.writeUInt16LE(16, 140)
  if (coreBytes > 144) core.writeUInt16LE(2, 142)
  const before = Buffer.from('0300000002f0807f65820193000100001c0044756361811601c0', 'hex').subarray(0, -2)
  const packet = Buffer.concat([before, core])
  packet.writeUInt16BE(packet.length, 2)
  return { packet, core: packet.subarray(before.length) }
}

test('requests 32 bits per pixel and a LAN, and changes nothing else', () => {
  const { packet, core } = connectInitial()
  const before = Buffer.from(packet)
  requestTrueColour(packet)
  expect([140, 142, 144].map((at) => core.readUInt16LE(at))).toEqual([24, 2 | 8, 2 | 0x20])
  expect(core[210]).toBe(6)
  const changed = [...packet].flatMap((byte, at) => (byte === before[at] ? [] : [at]))
  expect(changed.length).toBe(4)
})

test.each([
  ['a client with shorter core data', connectInitial(132).packet],
  ['another packet', Buffer.from('0300000c02f0800401000100', 'hex')],
  ['input', Buffer.from([0x04, 0x04, 0x00, 0x1e])],
  ['a cut packet', connectInitial().packet.subarray(0, 40)],
])('does not change %s', (_what, packet) => {
  const before = Buffer.from(packet)
  requestTrueColour(packet)
  expect(packet).toEqual(before)
})
