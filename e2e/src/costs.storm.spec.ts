import type { Page } from '@playwright/test'
import { axeProblems } from './axe.ts'
import { waitForPaint } from './screens.ts'
import { expect, test } from './test.ts'

const COLUMNS =
  'Date,BillingPeriodStartDate,SubscriptionId,ResourceGroup,ResourceId,MeterCategory,ChargeType,CostInBillingCurrency,BillingCurrencyCode,Tags'
const STORE = '/subscriptions/s/resourceGroups/old/providers/Microsoft.Storage/storageAccounts/archive'
const BILL = `${COLUMNS}
03/02/2026,03/01/2026,s,old,${STORE},Storage,Usage,40.00,INR,
03/03/2026,03/01/2026,s,old,${STORE},Storage,Usage,20.00,INR,
03/03/2026,03/01/2026,s,,,Tax,Tax,3.00,INR,
`

async function expectNoAxeProblems(page: Page): Promise<void> {
  for (const [width, colorScheme] of [
    [1440, 'light'],
    [390, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    await waitForPaint(page)
    expect(await axeProblems(page)).toEqual([])
    await expect
      .poll(() => page.evaluate('document.documentElement.scrollWidth - innerWidth'), { message: `${width}` })
      .toBeLessThanOrEqual(0)
    if (process.env['E2E_LOOK'])
      await page.screenshot({ path: `${process.env['E2E_LOOK']}-${width}.png`, fullPage: true })
  }
  await page.setViewportSize({ width: 1440, height: 900 })
}

test('a superadmin imports a bill, reads the margin, and adopts an unassigned resource', async ({ signedIn }) => {
  const page = await signedIn('superadmin')
  await page.getByRole('link', { name: 'Billing History' }).click()
  await page.getByRole('link', { name: 'Provider Costs' }).click()
  await expect(page.getByText('No provider bill has been imported yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Import a Bill' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import a Bill' })
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Choose the files of an export.')
  const choose = (text: string) =>
    dialog.getByLabel('Files').setInputFiles({ name: 'march.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await choose(`${BILL}03/04/2026,03/01/2026,s,old,${STORE},Storage,Usage,1;5,INR,\n`)
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  const imports = page.getByRole('table', { name: 'Imports' })
  await expect(imports).toContainText('One line can’t be read, so nothing was imported.')
  await imports.getByText('One line can’t be read', { exact: true }).click()
  await expect(imports).toContainText('march.csv, line 5: its cost “1;5” is not a decimal number.')

  await page.getByRole('button', { name: 'Import a Bill' }).click()
  await choose(BILL)
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(imports).toContainText('3 lines of 02/03/2026 to 03/03/2026, ₹60.00 and ₹3.00 tax.')
  const costs = page.getByRole('table', { name: 'Charges and costs' })
  await expect(costs.getByRole('row', { name: /Unclaimed/ })).toContainText('₹60.00')
  await expectNoAxeProblems(page)

  await page.getByRole('button', { name: 'Adopt archive' }).click()
  const adopt = page.getByRole('dialog', { name: 'Adopt archive' })
  await adopt.getByRole('button', { name: 'Adopt', exact: true }).click()
  await expect(adopt.getByRole('alert')).toHaveText('Select an organisation.')
  await adopt.getByLabel('Organisation').selectOption('Acme Learning')
  await adopt.getByLabel('Training').selectOption('Linux 101')
  await adopt.getByRole('button', { name: 'Adopt', exact: true }).click()
  await expect(costs.getByRole('row', { name: /Acme Learning/ })).toContainText('Linux 101')
  await expect(page.getByText('Every resource on the bill is assigned.')).toBeVisible()
  const removals = imports.getByRole('button', { name: /^Delete import of/ })
  for (let remaining = await removals.count(); remaining > 0; remaining -= 1) {
    await removals.first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await expect(removals).toHaveCount(remaining - 1)
  }
})
