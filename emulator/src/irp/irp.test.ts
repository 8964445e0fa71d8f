import { constants, createHash, createPublicKey, publicEncrypt, randomBytes, verify } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { client, decryptAes, encryptAes } from '#src/irp/irp.ts'
import { sharedTestEmulator } from '#test/shared-test-emulator.ts'

const GSTIN = '29AABCT1332L1ZV'
const emulator = await sharedTestEmulator({ clock: 'stepped' })

interface Envelope {
  readonly Status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- the data of a reply depends on the call
  readonly Data: any
  readonly ErrorDetails: readonly { readonly ErrorCode: string; readonly ErrorMessage: string }[] | null
  readonly InfoDtls: readonly object[] | null
}

let number = 0
let session: { token: string; sessionKey: Buffer }

const headers = (overrides: Record<string, string> = {}) => ({
  'content-type': 'application/json',
  client_id: client.id,
  client_secret: client.secret,
  gstin: GSTIN,
  ...overrides,
})

async function signIn(password: string = client.password, overrides: Record<string, string> = {}): Promise<Envelope> {
  const { publicKey } = (await emulator.control('GET', '/_irp')).body
  const appKey = randomBytes(32)
  const credentials = { UserName: client.user, Password: password, AppKey: appKey.toString('base64') }
  const text = Buffer.from(JSON.stringify({ ...credentials, ForceRefreshAccessToken: false })).toString('base64')
  const key = { key: publicKey, padding: constants.RSA_PKCS1_PADDING }
  const Data = publicEncrypt(key, Buffer.from(text)).toString('base64')
  const reply = await fetch(`${emulator.url}/eivital/v1.04/auth`, {
    method: 'POST',
    headers: headers(overrides),
    body: JSON.stringify({ Data }),
  })
  const envelope = (await reply.json()) as Envelope
  if (envelope.Status === 1)
    session = { token: envelope.Data.AuthToken, sessionKey: decryptAes(appKey, envelope.Data.Sek) }
  return envelope
}

async function call(path: string, form?: object, overrides: Record<string, string> = {}): Promise<Envelope> {
  const reply = await fetch(`${emulator.url}/eicore/v1.03/Invoice${path}`, {
    headers: headers({ user_name: client.user, authtoken: session.token, ...overrides }),
    ...(form && {
      method: 'POST',
      body: JSON.stringify({ Data: encryptAes(session.sessionKey, Buffer.from(JSON.stringify(form))) }),
    }),
  })
  const envelope = (await reply.json()) as Envelope
  if (envelope.Status !== 1) return envelope
  return { ...envelope, Data: JSON.parse(decryptAes(session.sessionKey, envelope.Data).toString('utf8')) }
}

const form = (documentNumber: string, overrides: object = {}) => ({
  Version: '1.1',
  TranDtls: { TaxSch: 'GST', SupTyp: 'B2B', RegRev: 'N' },
  DocDtls: { Typ: 'INV', No: documentNumber, Dt: '05/03/2026' },
  SellerDtls: { Gstin: GSTIN, LglNm: 'Labs', Addr1: 'Road', Loc: 'Bengaluru', Pin: 560001, Stcd: '29' },
  BuyerDtls: { Gstin: '29AABCR1718E1ZL', LglNm: 'Buyer', Pos: '29', Addr1: 'Road', Loc: 'X', Pin: 560001, Stcd: '29' },
  ItemList: [{ SlNo: '1', HsnCd: '999293', AssAmt: 100, GstRt: 18, TotItemVal: 118 }],
  ValDtls: { AssVal: 100, TotInvVal: 118 },
  ...overrides,
})
const refusal = (code: string, text: string) => ({ Status: 0, ErrorDetails: [{ ErrorCode: code, ErrorMessage: text }] })

beforeEach(async () => {
  await signIn()
})

describe('the e-invoice portal', () => {
  test('registers a document with the IRN of INV-01 and a signed QR code, once', async () => {
    const invoiceNumber = `INV/25-26/${++number}`
    const { Data } = await call('', form(invoiceNumber))
    expect(Data.Irn).toBe(createHash('sha256').update(`${GSTIN}2025-26INV${invoiceNumber}`).digest('hex'))
    const { signingKey } = (await emulator.control('GET', '/_irp')).body
    const [header, content, signature] = Data.SignedQRCode.split('.') as [string, string, string]
    const signed = Buffer.from(`${header}.${content}`)
    expect(verify('RSA-SHA256', signed, createPublicKey(signingKey), Buffer.from(signature, 'base64url'))).toBe(true)
    const { data } = JSON.parse(Buffer.from(content, 'base64url').toString('utf8')) as { data: string }
    expect(JSON.parse(data)).toMatchObject({
      SellerGstin: GSTIN,
      DocNo: invoiceNumber,
      TotInvVal: 118,
      ItemCnt: 1,
      Irn: Data.Irn,
    })
    const { AckNo, AckDt, Irn } = Data
    expect(await call('', form(invoiceNumber))).toMatchObject({
      ...refusal('2150', 'Duplicate IRN'),
      InfoDtls: [{ InfCd: 'DUPIRN', Desc: { AckNo, AckDt, Irn } }],
    })
    expect((await call(`/irn/${Irn}`)).Data).toEqual(Data)
  })

  test('cancels a registration within 24 hours, once', async () => {
    const [firstCancel, lateCancel] = [
      (await call('', form(`INV/25-26/${++number}`))).Data.Irn,
      (await call('', form(`INV/25-26/${++number}`))).Data.Irn,
    ]
    const cancel = (Irn: string, overrides: object = {}) =>
      call('/Cancel', { Irn, CnlRsn: '2', CnlRem: 'Wrong', ...overrides })
    expect(await cancel(firstCancel, { CnlRsn: '5' })).toMatchObject({ Status: 0 })
    await emulator.advance(24 * 3_600)
    await signIn()
    expect((await cancel(firstCancel)).Data).toMatchObject({ Irn: firstCancel })
    expect(await cancel(firstCancel)).toMatchObject(refusal('9999', 'Invoice is not active'))
    await emulator.advance(1)
    expect(await cancel(lateCancel)).toMatchObject({ Status: 0, ErrorDetails: [{ ErrorCode: '2270' }] })
    expect(await cancel('0'.repeat(64))).toMatchObject(refusal('2148', 'Requested IRN data is not available'))
    expect((await call(`/irn/${firstCancel}`)).Data.Status).toBe('CNL')
  })

  test.each([
    ['another version', { Version: '1.0' }],
    ['a number that begins with a zero', { DocDtls: { Typ: 'INV', No: '0001', Dt: '05/03/2026' } }],
    ['no items', { ItemList: [] }],
    ['totals that differ from the items', { ValDtls: { AssVal: 101, TotInvVal: 119 } }],
  ])('refuses a form with %s', async (_what, overrides) => {
    expect(await call('', form(`INV/25-26/${++number}`, overrides))).toMatchObject(
      refusal('2140', 'Error while validating invoice'),
    )
  })

  test('refuses wrong credentials, tokens that expired after six hours, and other GST numbers', async () => {
    expect(await signIn('wrong')).toMatchObject(refusal('1008', 'Invalid login credentials'))
    expect(await signIn(client.password, { client_secret: 'wrong' })).toMatchObject({
      ErrorDetails: [{ ErrorCode: '1010' }],
    })
    expect(await call('', form('X1'), { gstin: '29AABCR1718E1ZL' })).toMatchObject(refusal('1005', 'Invalid Token'))
    const seller = { ...form('X1').SellerDtls, Gstin: '29AABCR1718E1ZL' }
    expect(await call('', form('X1', { SellerDtls: seller }))).toMatchObject({ ErrorDetails: [{ ErrorCode: '1015' }] })
    await emulator.advance(6 * 3_600)
    expect(await call('', form('X1'))).toMatchObject(refusal('1005', 'Invalid Token'))
  })
})
