import type { TaxDocument } from '../../contract/invoice.ts'
import { isSupplyDocument } from '@trainyard/ledger/contract/tax-document.ts'
import { INV_01_TYPES } from '../gst/serial.ts'

/** PIN code of recipients abroad, which the e-invoice portal's notes require. */
const PIN_ABROAD = 999_999

/**
 * Returns a document in the form INV-01 1.1. INV-01 has no code for B2C, so B2C is written as B2B with the recipient
 * URP.
 */
export function inv01(document: TaxDocument): object {
  const { kind, supplier, customer, supplyType, placeOfSupply, items, totals, of, month, date, number } = document
  if (!isSupplyDocument(kind) || number === null || date === null) throw new Error('INV-01 has no such document.')
  const abroad = customer.address.country !== null
  return {
    Version: '1.1',
    TranDtls: {
      TaxSch: 'GST',
      SupTyp: supplyType === 'B2C' ? 'B2B' : supplyType,
      RegRev: document.reverseCharge ? 'Y' : 'N',
      IgstOnIntra: 'N',
    },
    DocDtls: { Typ: INV_01_TYPES[kind], No: number, Dt: day(date) },
    SellerDtls: {
      Gstin: supplier.gstin,
      LglNm: supplier.legalName,
      ...addressOf(supplier.address),
      ...(supplier.phone !== null && { Ph: supplier.phone }),
      ...(supplier.email !== null && { Em: supplier.email }),
    },
    BuyerDtls: {
      Gstin: customer.gstin ?? 'URP',
      LglNm: customer.legalName,
      Pos: placeOfSupply.code,
      ...addressOf(customer.address),
    },
    ItemList: items.map((item, index) => ({
      SlNo: String(index + 1),
      PrdDesc: item.description,
      IsServc: 'Y',
      HsnCd: item.sac,
      Qty: 1,
      UnitPrice: (item.taxablePaise + (item.discountPaise ?? 0)) / 100,
      TotAmt: (item.taxablePaise + (item.discountPaise ?? 0)) / 100,
      ...(item.discountPaise !== undefined && { Discount: item.discountPaise / 100 }),
      AssAmt: item.taxablePaise / 100,
      GstRt: item.rate / 100,
      IgstAmt: item.igstPaise / 100,
      CgstAmt: item.cgstPaise / 100,
      SgstAmt: item.sgstPaise / 100,
      TotItemVal: item.totalPaise / 100,
    })),
    ValDtls: {
      AssVal: totals.taxablePaise / 100,
      CgstVal: totals.cgstPaise / 100,
      SgstVal: totals.sgstPaise / 100,
      IgstVal: totals.igstPaise / 100,
      RndOffAmt: totals.roundOffPaise / 100,
      TotInvVal: totals.totalPaise / 100,
    },
    ...(supplier.bank !== null && {
      PayDtls: { Nm: supplier.bank.accountName, AccDet: supplier.bank.accountNumber, FinInsBr: supplier.bank.ifsc },
    }),
    RefDtls: {
      ...(document.endorsement !== null && { InvRm: document.endorsement.slice(0, 100) }),
      ...(month !== null && { DocPerdDtls: { InvStDt: day(`${month}-01`), InvEndDt: day(lastDay(month)) } }),
      ...(of !== null && { PrecDocDtls: [{ InvNo: of.number, InvDt: day(of.date) }] }),
    },
    ...(abroad && { ExpDtls: { CntCode: customer.address.country } }),
  }
}

function addressOf({ line1, line2, city, pin, state }: TaxDocument['customer']['address']) {
  return {
    Addr1: line1,
    ...(line2 !== null && { Addr2: line2 }),
    Loc: city,
    Pin: pin === null ? PIN_ABROAD : Number(pin),
    Stcd: state.code,
  }
}

const day = (date: string): string => date.split('-').toReversed().join('/')

function lastDay(month: string): string {
  const [year, number] = month.split('-').map(Number)
  return `${month}-${new Date(Date.UTC(year!, number, 0)).getUTCDate()}`
}
