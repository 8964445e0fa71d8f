import { readFile } from 'node:fs/promises'
import { navigate } from './navigate.ts'
import { expect, test } from './test.ts'

test('an admin of the demo opens an invoice and saves its PDF', async ({ signedIn }) => {
  const page = await signedIn('admin', '/ledger/account/invoices')
  await page.getByRole('table', { name: 'Invoices' }).getByRole('link', { name: /^DEMO/ }).click()
  await expect(page.getByRole('main')).toContainText('Lab machines, monthly')
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download PDF' }).click()
  expect((await readFile(await (await saving).path())).toString('latin1', 0, 5)).toBe('%PDF-')
})

test('Home and Account say the same credit and what it counts', async ({ signedIn }) => {
  const page = await signedIn('admin')
  const credit = page.getByText('credit left after the usage so far').locator('..')
  const onHome = await credit.innerText()
  expect(onHome).toMatch(/^₹[\d,]+\s+credit left/)
  await navigate(page, '/ledger/account')
  await expect(credit).toHaveText(onHome)
})
