import type { CustomerPlace } from '@trainyard/ledger/contract/tax-document.ts'

export const PLACE_WORDS: Readonly<Record<CustomerPlace, string>> = {
  india: 'In India',
  sez: 'In a special economic zone (SEZ)',
  abroad: 'Abroad',
}

export const statusWords = ({ place, gstin }: { place: CustomerPlace; gstin: string | null }): string =>
  `${PLACE_WORDS[place]}, ${gstin === null ? 'without a GST number' : `GST number ${gstin}`}`
