import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { supplierToday } from '@trainyard/usage/server/months.ts'
import { customerOf } from './customer.ts'
import { invoiceOf } from './document.ts'
import { issueDocument } from './store.ts'
import { supplierSettings } from './supplier/settings.ts'

/** Number series of its own, so that the operator's first invoice has the number 1. */
const PREFIX = 'DEMO'
const TAXABLE_PAISE = 33_817_80
const BASIS_POINTS = 1800

/** Issues an invoice of a fictitious supplier. The supplier settings stay empty, because the operator fills them in. */
export async function issueDemoInvoice(tx: Tx, organisation: OrganisationId): Promise<void> {
  const supplier = {
    ...(await supplierSettings(tx)),
    legalName: 'Trainyard Demo Supplier',
    gstin: '29AAACT1234A1ZX',
    addressLine1: '12 Residency Road',
    city: 'Bengaluru',
    pin: '560025',
    state: '29',
    signatory: 'Asha Rao',
    firstMonth: '2020-01',
  }
  const customer = { addressLine1: '4 Church Street', city: 'Mysuru', pin: '570001', state: '29' }
  const document = invoiceOf(
    supplier,
    { ...(await customerOf(tx, organisation)), ...customer },
    null,
    [{ description: 'Lab machines, monthly', taxablePaise: TAXABLE_PAISE }],
    [],
    BASIS_POINTS,
    await supplierToday(tx),
  )
  await issueDocument(tx, null, { organisation, document, prefix: PREFIX, by: 'demo' })
}
