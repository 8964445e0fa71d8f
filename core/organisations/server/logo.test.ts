import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { startTestPortal, type TestPortal } from '@trainyard/platform/test/portal.ts'
import { createSubjects, PEOPLE, type Subject } from '@trainyard/platform/test/world.ts'
import { logoType } from './logo-image.ts'

const chunk = (kind: string, data: Buffer) => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  return Buffer.concat([length, Buffer.from(kind, 'latin1'), data, Buffer.alloc(4)])
}
const png = (width: number, height: number, ...more: Buffer[]) => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0, 0, 0, 0], 8)
  const pixels = deflateSync(Buffer.alloc(64))
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    ...more,
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
const jpeg = (width: number, height: number) => {
  const frame = Buffer.from('ffc0000b08000000000101110000', 'hex').subarray(0, 13)
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  return Buffer.concat([
    Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'),
    frame,
    Buffer.from('ffd9', 'hex'),
  ])
}
const webp = (kind: string, data: Buffer) => {
  const body = Buffer.concat([Buffer.from(`WEBP${kind}`, 'latin1'), Buffer.from([data.length, 0, 0, 0]), data])
  const size = Buffer.alloc(4)
  size.writeUInt32LE(body.length)
  return Buffer.concat([Buffer.from('RIFF', 'latin1'), size, body])
}
const HTML = Buffer.from('<!doctype html><script>alert(1)</script>')
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')

describe('logo image', () => {
  test.each([
    ['PNG', png(64, 64), 'image/png'],
    ['JPEG', jpeg(300, 100), 'image/jpeg'],
    ['WebP, extended', webp('VP8X', Buffer.from('00000000ff0000630000', 'hex')), 'image/webp'],
    ['WebP, lossless', webp('VP8L', Buffer.from('2f3fc00f000000000000', 'hex')), 'image/webp'],
    ['WebP, lossy', webp('VP8 ', Buffer.from('0000009d012a40004000', 'hex')), 'image/webp'],
  ])('detects %s from the bytes', (_kind, bytes, type) => {
    expect(logoType(bytes)).toBe(type)
  })

  test.each([
    ['HTML', HTML],
    ['SVG', SVG],
    ['a GIF', Buffer.from('GIF89a')],
    ['nothing', Buffer.alloc(0)],
    ['a PNG with a page after its end', Buffer.concat([png(64, 64), HTML])],
    ['a PNG that was cut off', png(64, 64).subarray(0, 60)],
    ['a PNG that moves', png(64, 64, chunk('acTL', Buffer.alloc(8)))],
    ['a PNG of endless chunks', png(64, 64).fill(0xff, 33, 37)],
    ['a JPEG with a page after its end', Buffer.concat([jpeg(64, 64), HTML])],
    ['a WebP with a page after its end', Buffer.concat([webp('VP8X', Buffer.alloc(10)), HTML])],
    ['a WebP that moves', webp('VP8X', Buffer.from('02000000ff0000630000', 'hex'))],
  ])('rejects %s', (_what, bytes) => {
    expect(() => logoType(bytes)).toThrow('image must be a PNG, JPEG or WebP image')
  })

  test.each([
    ['a bomb', png(60_000, 60_000)],
    ['too wide', jpeg(2_049, 100)],
    ['a dot', png(1, 1)],
    ['without any size', jpeg(0, 0)],
  ])('rejects an image that is %s, stating its size', (_what, bytes) => {
    expect(() => logoType(bytes)).toThrow(/^image must be 16 to 2048 pixels wide and high; this one is \d+ x \d+\.$/)
  })

  // Each type has an image of 2048 x 15 and one of 16 x 2049 pixels.
  test.each([
    ['PNG', png(2_048, 15), png(16, 2_049)],
    ['JPEG', jpeg(2_048, 15), jpeg(16, 2_049)],
    [
      'WebP, extended',
      webp('VP8X', Buffer.from('00000000ff07000e0000', 'hex')),
      webp('VP8X', Buffer.from('000000000f0000000800', 'hex')),
    ],
    [
      'WebP, lossless',
      webp('VP8L', Buffer.from('2fff8703000000000000', 'hex')),
      webp('VP8L', Buffer.from('2f0f0000020000000000', 'hex')),
    ],
    [
      'WebP, lossy',
      webp('VP8 ', Buffer.from('0000009d012a00080f00', 'hex')),
      webp('VP8 ', Buffer.from('0000009d012a10000108', 'hex')),
    ],
  ])('measures %s to the pixel', (_kind, flat, tall) => {
    expect(() => logoType(flat)).toThrow('this one is 2048 x 15.')
    expect(() => logoType(tall)).toThrow('this one is 16 x 2049.')
  })
})

describe('logo of an organisation', () => {
  let portal: TestPortal
  let own: Subject
  let foreign: Subject
  let admin: string
  beforeAll(async () => {
    portal = await startTestPortal(inject('testCluster'))
    ;({ own, foreign } = await createSubjects(portal))
    admin = await portal.sessionOf(PEOPLE.admin)
  })
  afterAll(() => portal.close())

  const set = async (image: unknown, overrides: object = {}) => {
    const reply = await portal.request('PATCH', '/admin/organization/logo', {
      uid: admin,
      body: { image, ...overrides },
    })
    return { status: reply.status, message: ((await reply.json()) as { message: string }).message }
  }
  const logo = async () =>
    ((await (await portal.request('GET', '/user/me', { uid: admin })).json()) as { logo: string | null }).logo
  const fetched = (address: string) => fetch(new URL(address, portal.url))

  test("is served from the portal's origin, immutable at its address, and only as an image", async () => {
    const bytes = png(64, 64)
    expect(await set(bytes.toString('base64'))).toEqual({ status: 200, message: 'The logo of own school is saved.' })
    const address = (await logo())!
    expect(address).toMatch(/^\/api\/logo\/[0-9a-f]{64}$/)
    const reply = await fetched(address)
    expect(Buffer.from(await reply.arrayBuffer())).toEqual(bytes)
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    })
    await set(jpeg(64, 64).toString('base64'))
    expect(await logo()).not.toBe(address)
    expect((await fetched(address)).status).toBe(404)
    const second = (await logo())!
    expect(await set(null)).toEqual({ status: 200, message: 'own school no longer has a logo.' })
    expect(await logo()).toBeNull()
    expect((await fetched(second)).status).toBe(404)
  })

  test('has its address in the audit, but not its bytes', async () => {
    const image = png(64, 32).toString('base64')
    await set(image)
    const { detail, before, after } = await portal.app.db
      .selectFrom('audit')
      .select(['detail', 'before', 'after'])
      .where('call', '=', 'organisation.changeLogo')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(detail)).not.toContain(image.slice(0, 40))
    expect(before).toEqual({ logo: null })
    expect(after).toEqual({ logo: await logo() })
    await set(null)
  })

  test('stays available while another organisation uses the same image', async () => {
    const image = png(48, 48).toString('base64')
    const root = await portal.sessionOf(PEOPLE.superadmin)
    await set(image)
    const address = (await logo())!
    const body = { organization: foreign.organization, image }
    await portal.request('PATCH', '/admin/organization/logo', { uid: root, body })
    await set(null)
    expect((await fetched(address)).status).toBe(200)
  })

  test.each([
    ['an SVG', SVG.toString('base64'), /^image must be a PNG, JPEG or WebP image/],
    ['HTML', HTML.toString('base64'), /^image must be a PNG, JPEG or WebP image/],
    ['an address', 'https://elsewhere.test/logo.png', /^image must be base64/],
    ['empty', '', /^image must not be empty/],
    ['too large', 'A'.repeat(400_000), /^image must be at most 256 kB large/],
    ['a number', 7, /^image must be text/],
    ['left out', undefined, /^image /],
  ])('is rejected if it is %s', async (_what, image, sentence) => {
    expect(await set(image)).toEqual({ status: 400, message: expect.stringMatching(sentence) })
    expect(await logo()).toBeNull()
  })

  test('cannot be set for another organisation or by a learner', async () => {
    const image = png(64, 64).toString('base64')
    expect(await set(image, { organization: foreign.organization })).toMatchObject({ status: 404 })
    const uid = await portal.sessionOf(own.email)
    expect((await portal.request('PATCH', '/admin/organization/logo', { uid, body: { image } })).status).toBe(403)
  })

  test.each(['/api/logo/x', '/api/logo/..%2f..%2fetc', `/api/logo/${'0'.repeat(64)}`])(
    'answers 404 for %s',
    async (address) => {
      expect((await fetched(address)).status).toBe(404)
    },
  )
})
