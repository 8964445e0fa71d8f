import { expect, type Page } from '@playwright/test'
import type { Portal } from './portal.ts'

export const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

export async function fillSection(
  page: Page,
  section: string,
  fields: Readonly<Record<string, string>>,
): Promise<void> {
  const form = region(page, section)
  for (const [label, value] of Object.entries(fields)) {
    const field = form.getByLabel(label, { exact: true })
    if ((await field.evaluate((element) => element.tagName)) === 'SELECT') await field.selectOption(value)
    else await field.fill(value)
  }
}

export async function saveSection(
  page: Page,
  section: string,
  fields: Readonly<Record<string, string>>,
): Promise<void> {
  await fillSection(page, section, fields)
  await region(page, section)
    .getByRole('button', { name: `Save ${section}` })
    .click()
  await expect(region(page, section).getByRole('button', { name: `Save ${section}` })).toBeDisabled()
}

/** Returns a date whose UTC fields are the current date and time in India, the supplier's time zone. */
const inIndia = (portal: Portal): Date => new Date(portal.now().getTime() + 330 * 60_000)

/** Returns the date of that many days ago in India, such as 2026-11-18. */
export const dateDaysAgo = (portal: Portal, days: number): string =>
  new Date(inIndia(portal).getTime() - days * 24 * 3600_000).toISOString().slice(0, 10)

/**
 * Returns the previous month, such as 2026-10. The month must have ended at least a day ago and lie within the thirty
 * days of demo data, so the clock first moves to day 2 of the next month if needed.
 */
export async function monthToInvoice(portal: Portal): Promise<string> {
  const day = () => inIndia(portal).getUTCDate()
  while (day() === 1 || day() > 28) await portal.advanceClock(24 * 3600)
  const now = inIndia(portal)
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)).toISOString().slice(0, 7)
}

export const SUPPLIER = {
  'Legal Name': 'Trainyard Labs Private Limited',
  'GST Number': '29 aafcc9980m 1zr',
  Address: '12 Residency Road',
  City: 'Bengaluru',
  'PIN Code': '560025',
  State: '29',
  'Authorised Signatory': 'Asha Rao',
}

/** Fields of Organisation Settings of a customer in Karnataka (29) */
export const BILLING = { Address: '4 Church Street', City: 'Mysuru', 'PIN Code': '570001' }

export async function addRate(page: Page): Promise<void> {
  const rates = region(page, 'Rates of Tax')
  await rates.getByRole('button', { name: 'Add a Rate' }).click()
  await rates.getByLabel('From').fill('2017-07-01')
  await rates.getByRole('button', { name: 'Save Rates of Tax' }).click()
  await expect(rates.getByRole('button', { name: 'Save Rates of Tax' })).toBeDisabled()
}
