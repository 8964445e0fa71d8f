import type { EInvoicesDiagnosis } from '../providers/e-invoices.ts'
import type { Db } from '../db/schema.ts'
import { type Check, green, notUsed } from './check.ts'

export function eInvoiceCheck(
  diagnosis: EInvoicesDiagnosis | null,
  gstin: () => Promise<string | null>,
  needs: readonly Check[],
): Check {
  return {
    group: 'E-invoice portal',
    name: 'sign-in',
    needs,
    otherwise: 'Check the EINVOICE_ settings with the credentials that the portal or your service provider issued.',
    async run(signal) {
      if (diagnosis === null) return notUsed('EINVOICE_URL is not set: registrations are recorded by hand.')
      const supplier = await gstin()
      if (supplier === null) return notUsed('The supplier has no GST number yet.')
      await diagnosis.signIn(supplier, signal)
      return green(`The portal accepts the sign-in for ${supplier}.`)
    },
  }
}

/** Returns the GST number with which the portal signs in; null if the supplier settings have no GST number. */
export const supplierGstin = async (db: Db): Promise<string | null> =>
  (await db.selectFrom('supplier').select('gstin').executeTakeFirstOrThrow()).gstin
