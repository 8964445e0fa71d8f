import { type KeyObject, verify } from 'node:crypto'
import { z } from 'zod'
import {
  type DocumentToRegister,
  EInvoiceError,
  type EInvoiceRegistration,
  type EInvoices,
  type EInvoicesDiagnosis,
  type RegistrationToCancel,
} from '../e-invoices.ts'
import { irpClient, IrpRefusal, type IrpSettings } from './client.ts'

const INVOICES = '/eicore/v1.03/Invoice'

const DUPLICATE = '2150'
const NOT_ACTIVE = '9999'
/** The 24 hours in which the portal cancels a registration have passed. */
const TOO_LATE = '2270'

/** Codes of NIC's interface. */
const REASON_CODES: Readonly<Record<RegistrationToCancel['reason'], string>> = {
  duplicate: '1',
  'data entry mistake': '2',
  'order cancelled': '3',
  other: '4',
}

/** AckDt is the time in India, as YYYY-MM-DD HH:MM:SS. */
const registered = z.object({
  Irn: z.string().max(64),
  AckNo: z
    .union([z.int().min(1), z.string()])
    .transform(String)
    .pipe(z.string().regex(/^\d{1,20}$/)),
  AckDt: z.string().regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/),
  SignedQRCode: z.string().max(4_000),
  /** CNL: the registration is cancelled. */
  Status: z.string().optional(),
})
const cancelled = z.object({ Irn: z.string().max(64) })
const registrationState = z.object({ Irn: z.string().max(64), Status: z.string() })
/** The QR code is a JSON Web Token whose `data` is text. */
const signedContent = z.object({ data: z.string() })
const signedData = z.object({ SellerGstin: z.string(), DocNo: z.string(), Irn: z.string() })

export function irpEInvoices(
  settings: IrpSettings & { readonly verificationKey: KeyObject },
): EInvoices & EInvoicesDiagnosis {
  const client = irpClient(settings)
  return {
    signIn: (gstin, signal) => client.signIn(gstin, signal),

    async register(document, signal) {
      const { supplierGstin: gstin, irn, form } = document
      const answer = await client.call(gstin, INVOICES, form, signal).catch((error: unknown) => {
        if (!(error instanceof IrpRefusal) || error.code !== DUPLICATE) throw error
        // An earlier request registered the document, but its reply was lost.
        if (error.duplicateOf !== null) requireIrn(error.duplicateOf, document)
        return client.call(gstin, `${INVOICES}/irn/${irn}`, null, signal)
      })
      const read = registered.safeParse(answer)
      if (!read.success)
        throw new EInvoiceError('unreachable', 'The registration from the e-invoice portal could not be read.')
      if (read.data.Status === 'CNL')
        throw new EInvoiceError(
          'refused',
          `The registration of ${document.number} was cancelled at the e-invoice portal.`,
        )
      return verified(read.data, document, settings.verificationKey)
    },

    async cancel({ supplierGstin: gstin, irn, reason, remark }, signal) {
      const form = JSON.stringify({ Irn: irn, CnlRsn: REASON_CODES[reason], CnlRem: remark })
      try {
        const read = cancelled.safeParse(await client.call(gstin, `${INVOICES}/Cancel`, form, signal))
        if (!read.success)
          throw new EInvoiceError('unreachable', 'The cancellation from the e-invoice portal could not be read.')
        if (read.data.Irn.toLowerCase() !== irn)
          throw new EInvoiceError('untrusted', 'The e-invoice portal answered with the IRN of another document.')
      } catch (error) {
        if (!(error instanceof IrpRefusal)) throw error
        if (error.code === NOT_ACTIVE) return
        if (error.code !== TOO_LATE) throw error
        // An earlier request may have cancelled it in time, with a reply that was lost. If the registration cannot be
        // read, for example after two days (code 2283), the result remains unknown.
        if (!(await isCancelled(gstin, irn, signal))) throw new EInvoiceError('expired', error.message, error)
      }
    },
  }

  async function isCancelled(gstin: string, irn: string, signal: AbortSignal): Promise<boolean> {
    const read = registrationState.safeParse(await client.call(gstin, `${INVOICES}/irn/${irn}`, null, signal))
    if (!read.success)
      throw new EInvoiceError('unreachable', 'The registration from the e-invoice portal could not be read.')
    if (read.data.Irn.toLowerCase() !== irn)
      throw new EInvoiceError('untrusted', 'The e-invoice portal answered with the IRN of another document.')
    return read.data.Status === 'CNL'
  }
}

/** @throws EInvoiceError if the registration is about another document, or not signed by the portal */
function verified(
  { Irn, AckNo, AckDt, SignedQRCode }: z.infer<typeof registered>,
  document: DocumentToRegister,
  verificationKey: KeyObject,
): EInvoiceRegistration {
  requireIrn(Irn, document)
  const data = contentOf(SignedQRCode, verificationKey)
  if (data === null)
    throw new EInvoiceError(
      'untrusted',
      'The QR code is not signed with the e-invoice portal’s key. Check EINVOICE_SIGNING_KEY.',
    )
  const { SellerGstin, DocNo, Irn: signed } = data
  if (signed !== document.irn || SellerGstin !== document.supplierGstin || DocNo !== document.number)
    throw new EInvoiceError('untrusted', `The QR code is that of ${DocNo}, not of ${document.number}.`)
  return {
    irn: Irn,
    ackNumber: AckNo,
    ackDate: new Date(`${AckDt.replace(' ', 'T')}+05:30`),
    signedQr: SignedQRCode,
  }
}

function requireIrn(irn: string, { number, irn: expected }: DocumentToRegister): void {
  if (irn.toLowerCase() !== expected)
    throw new EInvoiceError(
      'untrusted',
      `The e-invoice portal answered with the IRN of another document than ${number}.`,
    )
}

/** Returns the content of the QR code; null if the signature is invalid. Only RS256 is accepted. */
function contentOf(token: string, key: KeyObject): z.infer<typeof signedData> | null {
  const [head, content, signature, ...extra] = token.split('.')
  if (head === undefined || content === undefined || signature === undefined || extra.length > 0) return null
  const isSigned = verify('RSA-SHA256', Buffer.from(`${head}.${content}`), key, Buffer.from(signature, 'base64url'))
  if (!isSigned || jsonOf(head, z.object({ alg: z.literal('RS256') })) === null) return null
  const read = jsonOf(content, signedContent)
  if (read === null) return null
  try {
    return signedData.safeParse(JSON.parse(read.data)).data ?? null
  } catch {
    return null
  }
}

function jsonOf<T>(part: string, shape: z.ZodType<T>): T | null {
  try {
    return shape.safeParse(JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))).data ?? null
  } catch {
    return null
  }
}
